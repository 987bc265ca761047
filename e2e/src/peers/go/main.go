// A server and a client on the official SDK of Go.
//
// usage: peer server [http <revision>]
//
//	peer client <revision> <JSON config of a server> <url of mcpmux | command of mcpmux, arguments of mcpmux>
package main

import (
	"context"
	"log"
	"os"
)

func main() {
	var err error
	if os.Args[1] == "server" {
		isModern := os.Args[len(os.Args)-1] == "2026-07-28"
		err = serve(context.Background(), len(os.Args) > 2, isModern)
	} else {
		err = use(context.Background(), os.Args[2], []byte(os.Args[3]), os.Args[4:])
	}
	if err != nil {
		log.Fatal(err)
	}
}
