# The workload (see ../workload.py) with bunny: ruby workload.rb URL NAME

require "bunny"
require "json"

url, name = ARGV
counts = %w[publish confirm return deliver get empty ack nack reject].to_h { |what| [what, 0] }

publish = lambda do |channel, exchange, key, body, **options|
  counts["publish"] += 1
  channel.basic_publish(body, exchange, key, { persistent: true, **options })
end
get_all = lambda do |channel, queue|
  loop do
    delivery, = channel.basic_get(queue, manual_ack: true)
    break if delivery.nil?
    counts["get"] += 1
    counts["ack"] += 1
    channel.ack(delivery.delivery_tag)
  end
  counts["empty"] += 1
end

connection = Bunny.new(url).start
other = Bunny.new(url).start

# Topology and confirms
channel = connection.create_channel
exchange = channel.direct(name, durable: true)
dead_exchange = channel.fanout("#{name}.dead", durable: true)
channel.queue(name, durable: true, arguments: { "x-dead-letter-exchange" => "#{name}.dead" })
       .bind(exchange, routing_key: "work")
channel.queue("#{name}.dead", durable: true).bind(dead_exchange)
channel.confirm_select
exchange.on_return { counts["return"] += 1 }
50.times { |number| publish.call(channel, name, "work", "message #{number}") }
3.times { publish.call(channel, name, "nowhere", "lost", mandatory: true) }
%w[x y].each { |octet| publish.call(channel, name, "work", octet * 300_000) }
counts["confirm"] = counts["publish"] if channel.wait_for_confirms
channel.close

# Consuming
channel = connection.create_channel
channel.prefetch(5)
settled = Queue.new
consumer = channel.queue(name, passive: true).subscribe(manual_ack: true) do |delivery, _, _|
  counts["deliver"] += 1
  if !delivery.redelivered? && counts["nack"] < 3
    counts["nack"] += 1
    channel.nack(delivery.delivery_tag, false, true)
  elsif counts["reject"] < 7
    counts["reject"] += 1
    channel.reject(delivery.delivery_tag, false)
    settled << 1
  else
    counts["ack"] += 1
    channel.ack(delivery.delivery_tag)
    settled << 1
  end
end
52.times { settled.pop }
consumer.cancel
get_all.call(channel, "#{name}.dead")
channel.close

# Calls; the queue is exclusive to the other connection
server = other.create_channel
server.queue("#{name}.calls", exclusive: true).subscribe(manual_ack: true) do |delivery, properties, _|
  counts["deliver"] += 1
  publish.call(server, "", properties.reply_to, "answer", correlation_id: properties.correlation_id)
  counts["ack"] += 1
  server.ack(delivery.delivery_tag)
end
begin
  connection.create_channel.queue("#{name}.calls", passive: true)
rescue Bunny::ResourceLocked
end
channel = connection.create_channel
answers = Queue.new
channel.basic_consume("amq.rabbitmq.reply-to", "", true) do
  counts["deliver"] += 1
  answers << 1
end
9.times do |number|
  options = { correlation_id: number.to_s, reply_to: "amq.rabbitmq.reply-to" }
  publish.call(channel, "", "#{name}.calls", "call", **options)
  answers.pop
end
channel.close

# Transactions
channel = connection.create_channel
channel.tx_select
4.times { |number| publish.call(channel, name, "work", "committed #{number}") }
channel.tx_commit
3.times { |number| publish.call(channel, name, "work", "rolled back #{number}") }
channel.tx_rollback
get_all.call(channel, name)
channel.tx_commit

channel.queue_delete(name)
channel.queue_delete("#{name}.dead")
channel.exchange_delete(name)
channel.exchange_delete("#{name}.dead")
other.close
connection.close
puts JSON.generate(counts)
