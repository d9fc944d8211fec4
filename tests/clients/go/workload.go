// The workload (see ../workload.py) with streadway/amqp: go run workload.go URL NAME
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"
	"sync"

	"github.com/streadway/amqp"
)

const replyTo = "amq.rabbitmq.reply-to"

var (
	name   string
	lock   sync.Mutex
	counts = map[string]int{}
)

func count(what string) {
	lock.Lock()
	defer lock.Unlock()
	counts[what]++
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func open(connection *amqp.Connection) *amqp.Channel {
	channel, err := connection.Channel()
	must(err)
	return channel
}

func publish(channel *amqp.Channel, exchange, key string, mandatory bool, message amqp.Publishing) {
	count("publish")
	must(channel.Publish(exchange, key, mandatory, false, message))
}

func text(body string) amqp.Publishing {
	return amqp.Publishing{DeliveryMode: amqp.Persistent, ContentType: "text/plain", Body: []byte(body)}
}

func getAll(channel *amqp.Channel, queue string) {
	for {
		message, ok, err := channel.Get(queue, false)
		must(err)
		if !ok {
			break
		}
		count("get")
		count("ack")
		must(message.Ack(false))
	}
	count("empty")
}

func confirms(connection *amqp.Connection) {
	channel := open(connection)
	must(channel.ExchangeDeclare(name, "direct", true, false, false, false, nil))
	must(channel.ExchangeDeclare(name+".dead", "fanout", true, false, false, false, nil))
	arguments := amqp.Table{"x-dead-letter-exchange": name + ".dead"}
	_, err := channel.QueueDeclare(name, true, false, false, false, arguments)
	must(err)
	_, err = channel.QueueDeclare(name+".dead", true, false, false, false, nil)
	must(err)
	must(channel.QueueBind(name, "work", name, false, nil))
	must(channel.QueueBind(name+".dead", "", name+".dead", false, nil))
	must(channel.Confirm(false))
	confirmed := channel.NotifyPublish(make(chan amqp.Confirmation, 55))
	returned := channel.NotifyReturn(make(chan amqp.Return, 3))
	for number := 0; number < 50; number++ {
		publish(channel, name, "work", false, text(fmt.Sprint("message ", number)))
	}
	for number := 0; number < 3; number++ {
		publish(channel, name, "nowhere", true, text("lost"))
	}
	publish(channel, name, "work", false, text(strings.Repeat("x", 300000)))
	publish(channel, name, "work", false, text(strings.Repeat("y", 300000)))
	for number := 0; number < 55; number++ {
		<-confirmed
		count("confirm")
	}
	for number := 0; number < 3; number++ {
		<-returned
		count("return")
	}
	must(channel.Close())
}

func consume(connection *amqp.Connection) {
	channel := open(connection)
	must(channel.Qos(5, 0, false))
	deliveries, err := channel.Consume(name, "worker", false, false, false, false, nil)
	must(err)
	for settled := 0; settled < 52; {
		message := <-deliveries
		count("deliver")
		if !message.Redelivered && counts["nack"] < 3 {
			count("nack")
			must(message.Nack(false, true))
			continue
		}
		if counts["reject"] < 7 {
			count("reject")
			must(message.Reject(false))
		} else {
			count("ack")
			must(message.Ack(false))
		}
		settled++
	}
	must(channel.Cancel("worker", false))
	getAll(channel, name+".dead")
	must(channel.Close())
}

func serve(channel *amqp.Channel, deliveries <-chan amqp.Delivery) {
	for message := range deliveries {
		count("deliver")
		publish(channel, "", message.ReplyTo, false, amqp.Publishing{CorrelationId: message.CorrelationId})
		count("ack")
		must(message.Ack(false))
	}
}

func calls(connection, other *amqp.Connection) {
	server := open(other)
	_, err := server.QueueDeclare(name+".calls", false, true, true, false, nil) // exclusive to this connection
	must(err)
	requests, err := server.Consume(name+".calls", "", false, false, false, false, nil)
	must(err)
	go serve(server, requests)
	_, err = open(connection).QueueDeclarePassive(name+".calls", false, true, true, false, nil)
	if err == nil {
		log.Fatal("the queue is not exclusive")
	}
	channel := open(connection)
	answers, err := channel.Consume(replyTo, "", true, false, false, false, nil)
	must(err)
	for number := 0; number < 9; number++ {
		request := amqp.Publishing{CorrelationId: fmt.Sprint(number), ReplyTo: replyTo, Body: []byte("call")}
		publish(channel, "", name+".calls", false, request)
		<-answers
		count("deliver")
	}
	must(channel.Close())
}

func transactions(connection *amqp.Connection) {
	channel := open(connection)
	must(channel.Tx())
	for number := 0; number < 4; number++ {
		publish(channel, name, "work", false, text(fmt.Sprint("committed ", number)))
	}
	must(channel.TxCommit())
	for number := 0; number < 3; number++ {
		publish(channel, name, "work", false, text(fmt.Sprint("rolled back ", number)))
	}
	must(channel.TxRollback())
	getAll(channel, name)
	must(channel.TxCommit())
	for _, queue := range []string{name, name + ".dead"} {
		_, err := channel.QueueDelete(queue, false, false, false)
		must(err)
		must(channel.ExchangeDelete(queue, false, false))
	}
}

func main() {
	url := os.Args[1]
	name = os.Args[2]
	connection, err := amqp.Dial(url)
	must(err)
	other, err := amqp.Dial(url)
	must(err)
	confirms(connection)
	consume(connection)
	calls(connection, other)
	transactions(connection)
	must(other.Close())
	must(connection.Close())
	must(json.NewEncoder(os.Stdout).Encode(counts))
}
