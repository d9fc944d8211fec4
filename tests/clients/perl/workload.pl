# The workload (see ../workload.py) with AnyEvent::RabbitMQ, which has no nack: perl workload.pl HOST PORT NAME

use strict;
use warnings;

use AnyEvent;
use AnyEvent::RabbitMQ;
use JSON::PP;

my ($host, $port, $name) = @ARGV;
my %counts = map { $_ => 0 } qw(publish confirm return deliver get empty ack nack reject);

# Call a method with callbacks, and wait for what it answers.
sub answer {
    my ($object, $method, %arguments) = @_;
    my $answer = AnyEvent->condvar;
    $object->$method(
        %arguments,
        on_success => sub { $answer->send(@_) },
        on_failure => sub { $answer->croak("$method failed") },
    );
    return $answer->recv;
}

sub publish {
    my ($channel, $exchange, $key, $body, %options) = @_;
    $counts{publish}++;
    $channel->publish(
        exchange => $exchange, routing_key => $key, body => $body, header => { delivery_mode => 2 }, %options,
    );
}

sub ack {
    my ($channel, $message, $frame) = @_;
    $counts{ack}++;
    $channel->ack(delivery_tag => $message->{$frame}->method_frame->delivery_tag);
}

sub get_all {
    my ($channel, $queue) = @_;
    until ((my $message = answer($channel, 'get', queue => $queue, no_ack => 0))->{empty}) {
        $counts{get}++;
        ack($channel, $message, 'ok');
    }
    $counts{empty}++;
}

sub connect_to_broker {
    return answer(
        AnyEvent::RabbitMQ->new->load_xml_spec,
        'connect', host => $host, port => $port, user => 'guest', pass => 'guest', vhost => '/',
    );
}

my $connection = connect_to_broker();
my $other = connect_to_broker();

# Topology and confirms
my $channel = answer($connection, 'open_channel');
answer($channel, 'declare_exchange', exchange => $name, type => 'direct', durable => 1);
answer($channel, 'declare_exchange', exchange => "$name.dead", type => 'fanout', durable => 1);
my %dead_letters = ('x-dead-letter-exchange' => "$name.dead");
answer($channel, 'declare_queue', queue => $name, durable => 1, arguments => \%dead_letters);
answer($channel, 'declare_queue', queue => "$name.dead", durable => 1);
answer($channel, 'bind_queue', queue => $name, exchange => $name, routing_key => 'work');
answer($channel, 'bind_queue', queue => "$name.dead", exchange => "$name.dead", routing_key => '');
answer($channel, 'confirm');
my $confirmed = AnyEvent->condvar;
my %confirm = (on_ack => sub { $confirmed->send if ++$counts{confirm} == 55 });
publish($channel, $name, 'work', "message $_", %confirm) for 1 .. 50;
my %mandatory = (mandatory => 1, on_return => sub { $counts{return}++ });
publish($channel, $name, 'nowhere', 'lost', %confirm, %mandatory) for 1 .. 3;
publish($channel, $name, 'work', $_ x 300_000, %confirm) for qw(x y);
$confirmed->recv;
answer($channel, 'close');

# Consuming
$channel = answer($connection, 'open_channel');
answer($channel, 'qos', prefetch_count => 5);
my ($settled, $requeued) = (0, 0);
my $done = AnyEvent->condvar;
answer(
    $channel, 'consume', queue => $name, consumer_tag => 'worker', no_ack => 0,
    on_consume => sub {
        my $message = shift;
        my $delivery = $message->{deliver}->method_frame;
        $counts{deliver}++;
        if (!$delivery->redelivered && $requeued < 3) {
            $requeued++;
            $counts{reject}++;
            $channel->reject(delivery_tag => $delivery->delivery_tag, requeue => 1);
            return;
        }
        if ($counts{reject} < 10) {
            $counts{reject}++;
            $channel->reject(delivery_tag => $delivery->delivery_tag);
        } else {
            ack($channel, $message, 'deliver');
        }
        $done->send if ++$settled == 52;
    },
);
$done->recv;
answer($channel, 'cancel', consumer_tag => 'worker');
answer($channel, 'purge_queue', queue => "$name.dead");    # it cannot read the header x-death
answer($channel, 'close');

# Calls; the queue is exclusive to the other connection
my $server = answer($other, 'open_channel');
answer($server, 'declare_queue', queue => "$name.calls", exclusive => 1);
answer(
    $server, 'consume', queue => "$name.calls", no_ack => 0,
    on_consume => sub {
        my $message = shift;
        $counts{deliver}++;
        my $properties = $message->{header};
        my %header = (correlation_id => $properties->correlation_id);
        publish($server, '', $properties->reply_to, 'answer', header => \%header);
        ack($server, $message, 'deliver');
    },
);
eval { answer(answer($connection, 'open_channel'), 'declare_queue', queue => "$name.calls", passive => 1) };
$channel = answer($connection, 'open_channel');
my $answered;
answer(
    $channel, 'consume', queue => 'amq.rabbitmq.reply-to', no_ack => 1,
    on_consume => sub { $counts{deliver}++; $answered->send },
);
for my $number (1 .. 9) {
    $answered = AnyEvent->condvar;
    my %header = (correlation_id => $number, reply_to => 'amq.rabbitmq.reply-to');
    publish($channel, '', "$name.calls", 'call', header => \%header);
    $answered->recv;
}
answer($channel, 'close');

# Transactions
$channel = answer($connection, 'open_channel');
answer($channel, 'select_tx');
publish($channel, $name, 'work', "committed $_") for 1 .. 4;
answer($channel, 'commit_tx');
publish($channel, $name, 'work', "rolled back $_") for 1 .. 3;
answer($channel, 'rollback_tx');
get_all($channel, $name);
answer($channel, 'commit_tx');

for my $queue ($name, "$name.dead") {
    answer($channel, 'delete_queue', queue => $queue);
    answer($channel, 'delete_exchange', exchange => $queue);
}
answer($_, 'close') for $other, $connection;
print encode_json(\%counts), "\n";
