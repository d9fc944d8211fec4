// The workload (see ../workload.py) with the Java client of RabbitMQ: java Workload.java URL NAME

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.DefaultConsumer;
import com.rabbitmq.client.Envelope;
import com.rabbitmq.client.MessageProperties;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

public class Workload {
    private static final String REPLY_TO = "amq.rabbitmq.reply-to";
    private static final Map<String, Integer> counts = new TreeMap<>();
    private static String name;

    private static synchronized int count(String what) {
        return counts.merge(what, 1, Integer::sum);
    }

    private static synchronized int counted(String what) {
        return counts.getOrDefault(what, 0);
    }

    private static void publish(Channel channel, String exchange, String key, boolean mandatory,
                                BasicProperties properties, byte[] body) throws IOException {
        count("publish");
        channel.basicPublish(exchange, key, mandatory, properties, body);
    }

    private static void publish(Channel channel, String key, String text) throws IOException {
        publish(channel, name, key, false, MessageProperties.PERSISTENT_TEXT_PLAIN, text.getBytes());
    }

    private static void getAll(Channel channel, String queue) throws IOException {
        for (var message = channel.basicGet(queue, false); message != null; message = channel.basicGet(queue, false)) {
            count("get");
            count("ack");
            channel.basicAck(message.getEnvelope().getDeliveryTag(), false);
        }
        count("empty");
    }

    private static void confirms(Connection connection) throws Exception {
        Channel channel = connection.createChannel();
        channel.exchangeDeclare(name, "direct", true);
        channel.exchangeDeclare(name + ".dead", "fanout", true);
        channel.queueDeclare(name, true, false, false, Map.of("x-dead-letter-exchange", name + ".dead"));
        channel.queueDeclare(name + ".dead", true, false, false, null);
        channel.queueBind(name, name, "work");
        channel.queueBind(name + ".dead", name + ".dead", "");
        channel.addReturnListener((code, text, exchange, key, properties, body) -> count("return"));
        channel.confirmSelect();
        for (int number = 0; number < 50; number++) {
            publish(channel, "work", "message " + number);
        }
        for (int number = 0; number < 3; number++) {
            publish(channel, name, "nowhere", true, MessageProperties.PERSISTENT_TEXT_PLAIN, "lost".getBytes());
        }
        publish(channel, "work", "x".repeat(300_000));
        publish(channel, "work", "y".repeat(300_000));
        channel.waitForConfirmsOrDie();
        counts.put("confirm", counted("publish"));
        channel.close();
    }

    private static void consume(Connection connection) throws Exception {
        Channel channel = connection.createChannel();
        channel.basicQos(5);
        CountDownLatch settled = new CountDownLatch(52);
        channel.basicConsume(name, false, "worker", new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
                    throws IOException {
                count("deliver");
                long number = envelope.getDeliveryTag();
                if (!envelope.isRedeliver() && counted("nack") < 3) {
                    count("nack");
                    channel.basicNack(number, false, true);
                    return;
                }
                if (counted("reject") < 7) {
                    count("reject");
                    channel.basicReject(number, false);
                } else {
                    count("ack");
                    channel.basicAck(number, false);
                }
                settled.countDown();
            }
        });
        settled.await();
        channel.basicCancel("worker");
        getAll(channel, name + ".dead");
        channel.close();
    }

    private static void calls(Connection connection, Connection other) throws Exception {
        Channel server = other.createChannel();
        server.queueDeclare(name + ".calls", false, true, true, null); // exclusive to this connection
        server.basicConsume(name + ".calls", false, new DefaultConsumer(server) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body)
                    throws IOException {
                count("deliver");
                var answer = new BasicProperties.Builder().correlationId(properties.getCorrelationId()).build();
                publish(server, "", properties.getReplyTo(), false, answer, "answer".getBytes());
                count("ack");
                server.basicAck(envelope.getDeliveryTag(), false);
            }
        });
        try {
            connection.createChannel().queueDeclarePassive(name + ".calls");
        } catch (IOException refused) {
            // as it should be
        }
        Channel channel = connection.createChannel();
        Semaphore answers = new Semaphore(0);
        channel.basicConsume(REPLY_TO, true, new DefaultConsumer(channel) {
            @Override
            public void handleDelivery(String tag, Envelope envelope, BasicProperties properties, byte[] body) {
                count("deliver");
                answers.release();
            }
        });
        for (int number = 0; number < 9; number++) {
            var properties = new BasicProperties.Builder().correlationId("" + number).replyTo(REPLY_TO).build();
            publish(channel, "", name + ".calls", false, properties, "call".getBytes());
            answers.acquire();
        }
        channel.close();
    }

    private static void transactions(Connection connection) throws Exception {
        Channel channel = connection.createChannel();
        channel.txSelect();
        for (int number = 0; number < 4; number++) {
            publish(channel, "work", "committed " + number);
        }
        channel.txCommit();
        for (int number = 0; number < 3; number++) {
            publish(channel, "work", "rolled back " + number);
        }
        channel.txRollback();
        getAll(channel, name);
        channel.txCommit();
        channel.queueDelete(name);
        channel.queueDelete(name + ".dead");
        channel.exchangeDelete(name);
        channel.exchangeDelete(name + ".dead");
    }

    public static void main(String[] arguments) throws Exception {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setUri(arguments[0]);
        name = arguments[1];
        Connection connection = factory.newConnection("workload"), other = factory.newConnection("server");
        confirms(connection);
        consume(connection);
        calls(connection, other);
        transactions(connection);
        other.close();
        connection.close();
        System.out.println(counts.toString().replaceAll("(\\w+)=", "\"$1\": "));
    }
}
