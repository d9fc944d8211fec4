// The workload of AMQP 1.0 (see ../workload.py) with rhea: node workload1.js HOST PORT NAME
"use strict";

const rhea = require("rhea");

const [host, port, name] = process.argv.slice(2);
const counts = { send: 0, accepted: 0, receive: 0, accept: 0, release: 0, reject: 0 };
const MESSAGES = 40;
const RELEASES = 150; // of one message, that nobody wants

function wait(emitter, event) {
  return new Promise((done) => emitter.once(event, done));
}

async function send(connection) {
  const sender = connection.open_sender(`/queue/${name}`);
  await wait(sender, "sendable");
  for (let number = 0; number < MESSAGES; number++) {
    counts.send++;
    sender.send({ durable: true, message_id: number, body: number === 1 ? "x".repeat(300000) : `message ${number}` });
  }
  await new Promise((done) => {
    sender.on("accepted", () => {
      if (++counts.accepted === MESSAGES) done();
    });
  });
  sender.close();
}

async function receive(connection) {
  // One message at a time: rhea puts dispositions with different outcomes into one range.
  const options = { source: `/queue/${name}`, credit_window: 1, autoaccept: false };
  const receiver = connection.open_receiver(options);
  let settled = 0;
  await new Promise((done) => {
    receiver.on("message", ({ message, delivery }) => {
      counts.receive++;
      if (message.message_id === 0 && counts.release < RELEASES) {
        counts.release++;
        delivery.release();
        return;
      }
      if (counts.reject < 3) {
        counts.reject++;
        delivery.reject({ condition: "amqp:precondition-failed", description: "not wanted" });
      } else {
        counts.accept++;
        delivery.accept();
      }
      if (++settled === MESSAGES) done();
    });
  });
  receiver.close();
  await wait(receiver, "receiver_close");
}

async function main() {
  const container = rhea.create_container({ id: name });
  const connection = container.connect({ host, port, username: "guest", password: "guest", reconnect: false });
  await send(connection);
  await receive(connection);
  connection.close();
  await wait(connection, "connection_close");
  console.log(JSON.stringify(counts));
}

main();
