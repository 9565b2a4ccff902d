// Command mongod answers in MongoDB's protocol for the tests, where MongoDB's own server cannot be had: FerretDB,
// which keeps its data in SQLite below the folder of data. It takes the options that the preset `mongodb` gives.
package main

import (
	"context"
	"flag"
	"log/slog"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	host := flag.String("bind_ip", "127.0.0.1", "address to listen on")
	port := flag.String("port", "27017", "port to listen on")
	folder := flag.String("dbpath", "", "folder of the data")
	flag.Bool("nounixsocket", false, "taken and of no use: there is no other listener")
	flag.Parse()
	ended, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	database, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: net.JoinHostPort(*host, *port)},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
		Handler:   "sqlite",
		SQLiteURL: "file:" + *folder + "/",
	})
	if err == nil {
		err = database.Run(ended)
	}
	if err != nil && ended.Err() == nil {
		slog.Error("the server ended", "error", err)
		os.Exit(1)
	}
}
