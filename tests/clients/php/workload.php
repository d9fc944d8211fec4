<?php
// The workload (see ../workload.py) with php-amqplib: php workload.php HOST PORT NAME

require '/usr/share/php/PhpAmqpLib/autoload.php';

use PhpAmqpLib\Connection\AMQPStreamConnection;
use PhpAmqpLib\Exception\AMQPProtocolChannelException;
use PhpAmqpLib\Message\AMQPMessage;
use PhpAmqpLib\Wire\AMQPTable;

[, $host, $port, $name] = $argv;
$counts = array_fill_keys(
    ['publish', 'confirm', 'return', 'deliver', 'get', 'empty', 'ack', 'nack', 'reject'], 0);

function publish($channel, $exchange, $key, $body, $mandatory = false, $properties = ['delivery_mode' => 2]) {
    global $counts;
    $counts['publish']++;
    $channel->basic_publish(new AMQPMessage($body, $properties), $exchange, $key, $mandatory);
}

function get_all($channel, $queue) {
    global $counts;
    while ($message = $channel->basic_get($queue)) {
        $counts['get']++;
        $counts['ack']++;
        $message->ack();
    }
    $counts['empty']++;
}

$connection = new AMQPStreamConnection($host, $port, 'guest', 'guest');
$other = new AMQPStreamConnection($host, $port, 'guest', 'guest');

// Topology and confirms
$channel = $connection->channel();
$channel->exchange_declare($name, 'direct', false, true, false);
$channel->exchange_declare("$name.dead", 'fanout', false, true, false);
$arguments = new AMQPTable(['x-dead-letter-exchange' => "$name.dead"]);
$channel->queue_declare($name, false, true, false, false, false, $arguments);
$channel->queue_declare("$name.dead", false, true, false, false);
$channel->queue_bind($name, $name, 'work');
$channel->queue_bind("$name.dead", "$name.dead");
$channel->confirm_select();
$channel->set_ack_handler(function () use (&$counts) { $counts['confirm']++; });
$channel->set_return_listener(function () use (&$counts) { $counts['return']++; });
for ($number = 0; $number < 50; $number++) {
    publish($channel, $name, 'work', "message $number");
}
for ($number = 0; $number < 3; $number++) {
    publish($channel, $name, 'nowhere', 'lost', true);
}
foreach (['x', 'y'] as $octet) {
    publish($channel, $name, 'work', str_repeat($octet, 300000));
}
$channel->wait_for_pending_acks_returns();
$channel->close();

// Consuming
$channel = $connection->channel();
$channel->basic_qos(0, 5, false);
$settled = 0;
$channel->basic_consume($name, 'worker', false, false, false, false, function ($message) use (&$counts, &$settled) {
    $counts['deliver']++;
    if (!$message->isRedelivered() && $counts['nack'] < 3) {
        $counts['nack']++;
        $message->nack(true);
        return;
    }
    if ($counts['reject'] < 7) {
        $counts['reject']++;
        $message->reject(false);
    } else {
        $counts['ack']++;
        $message->ack();
    }
    $settled++;
});
while ($settled < 52) {
    $channel->wait();
}
$channel->basic_cancel('worker');
get_all($channel, "$name.dead");
$channel->close();

// Calls; the queue is exclusive to the other connection
$server = $other->channel();
$server->queue_declare("$name.calls", false, false, true, true);
$server->basic_consume("$name.calls", '', false, false, false, false, function ($message) use (&$counts, $server) {
    $counts['deliver']++;
    $properties = ['correlation_id' => $message->get('correlation_id')];
    publish($server, '', $message->get('reply_to'), 'answer', false, $properties);
    $counts['ack']++;
    $message->ack();
});
try {
    $connection->channel()->queue_declare("$name.calls", true);
} catch (AMQPProtocolChannelException $refused) {
}
$channel = $connection->channel();
$reply_to = 'amq.rabbitmq.reply-to';
$answers = 0;
$channel->basic_consume($reply_to, '', false, true, false, false, function () use (&$counts, &$answers) {
    $counts['deliver']++;
    $answers++;
});
for ($number = 0; $number < 9; $number++) {
    publish($channel, '', "$name.calls", 'call', false, ['correlation_id' => "$number", 'reply_to' => $reply_to]);
    $server->wait();
    while ($answers <= $number) {
        $channel->wait();
    }
}
$channel->close();

// Transactions
$channel = $connection->channel();
$channel->tx_select();
for ($number = 0; $number < 4; $number++) {
    publish($channel, $name, 'work', "committed $number");
}
$channel->tx_commit();
for ($number = 0; $number < 3; $number++) {
    publish($channel, $name, 'work', "rolled back $number");
}
$channel->tx_rollback();
get_all($channel, $name);
$channel->tx_commit();

$channel->queue_delete($name);
$channel->queue_delete("$name.dead");
$channel->exchange_delete($name);
$channel->exchange_delete("$name.dead");
$other->close();
$connection->close();
echo json_encode($counts), "\n";
