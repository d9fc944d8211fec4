// The workload (see ../workload.py) with amqplib: node workload.js URL NAME
"use strict";

const amqp = require("amqplib");

const [url, name] = process.argv.slice(2);
const counts = { publish: 0, confirm: 0, return: 0, deliver: 0, get: 0, empty: 0, ack: 0, nack: 0, reject: 0 };
const persistent = { persistent: true, contentType: "text/plain" };

function publish(channel, exchange, key, body, options) {
  counts.publish++;
  channel.publish(exchange, key, Buffer.from(body), options);
}

async function topology(channel) {
  await channel.assertExchange(name, "direct", { durable: true });
  await channel.assertExchange(`${name}.dead`, "fanout", { durable: true });
  await channel.assertQueue(name, { durable: true, deadLetterExchange: `${name}.dead` });
  await channel.assertQueue(`${name}.dead`, { durable: true });
  await channel.bindQueue(name, name, "work");
  await channel.bindQueue(`${name}.dead`, `${name}.dead`, "");
}

async function confirms(connection) {
  const channel = await connection.createConfirmChannel();
  channel.on("return", () => counts.return++);
  const confirmed = (exchange, key, body, options) =>
    new Promise((done, fail) => {
      counts.publish++;
      channel.publish(exchange, key, Buffer.from(body), options, (error) => {
        if (error) return fail(error);
        counts.confirm++;
        done();
      });
    });
  await topology(channel);
  const all = [];
  for (let number = 0; number < 50; number++) all.push(confirmed(name, "work", `message ${number}`, persistent));
  for (let number = 0; number < 3; number++) {
    all.push(confirmed(name, "nowhere", "lost", { ...persistent, mandatory: true }));
  }
  for (const octet of ["x", "y"]) all.push(confirmed(name, "work", octet.repeat(300000), persistent));
  await Promise.all(all);
  await channel.close();
}

async function consume(connection) {
  const channel = await connection.createChannel();
  await channel.prefetch(5);
  let settled = 0;
  await new Promise((done) => {
    channel.consume(
      name,
      (message) => {
        counts.deliver++;
        if (!message.fields.redelivered && counts.nack < 3) {
          counts.nack++;
          channel.nack(message, false, true);
          return;
        }
        if (counts.reject < 7) {
          counts.reject++;
          channel.reject(message, false);
        } else {
          counts.ack++;
          channel.ack(message);
        }
        if (++settled === 52) done();
      },
      { consumerTag: "worker" },
    );
  });
  await channel.cancel("worker");
  await getAll(channel, `${name}.dead`);
  await channel.close();
}

async function getAll(channel, queue) {
  for (;;) {
    const message = await channel.get(queue);
    if (!message) break;
    counts.get++;
    counts.ack++;
    channel.ack(message);
  }
  counts.empty++;
}

async function calls(connection, other) {
  const server = await other.createChannel();
  await server.assertQueue(`${name}.calls`, { exclusive: true, durable: false });
  await server.consume(`${name}.calls`, (message) => {
    counts.deliver++;
    const { correlationId, replyTo } = message.properties;
    publish(server, "", replyTo, "answer", { correlationId });
    counts.ack++;
    server.ack(message);
  });
  const refused = await connection.createChannel();
  refused.on("error", () => {});
  await refused.checkQueue(`${name}.calls`).catch(() => {}); // it is exclusive to the other connection

  const channel = await connection.createChannel();
  await new Promise((done) => {
    const replyTo = "amq.rabbitmq.reply-to";
    let answers = 0;
    const ask = () => publish(channel, "", `${name}.calls`, "call", { correlationId: `${answers}`, replyTo });
    const answered = () => {
      counts.deliver++;
      if (++answers === 9) done();
      else ask();
    };
    channel.consume(replyTo, answered, { noAck: true }).then(ask);
  });
  await channel.close();
}

async function transactions(connection) {
  // amqplib has no transactions; messages without confirms stand for what the others commit.
  const channel = await connection.createChannel();
  for (let number = 0; number < 4; number++) publish(channel, name, "work", `plain ${number}`, persistent);
  await channel.checkQueue(name);
  await getAll(channel, name);
  await channel.deleteQueue(name);
  await channel.deleteQueue(`${name}.dead`);
  await channel.deleteExchange(name);
  await channel.deleteExchange(`${name}.dead`);
}

async function main() {
  const connection = await amqp.connect(url);
  const other = await amqp.connect(url);
  await confirms(connection);
  await consume(connection);
  await calls(connection, other);
  await transactions(connection);
  await other.close();
  // The broker closes this channel because of an error while the connection is being closed.
  const last = await connection.createChannel();
  last.on("error", () => {});
  last.checkQueue(`${name}.nowhere`).catch(() => {});
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done)); // until it is sent
  await connection.close();
  console.log(JSON.stringify(counts));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
