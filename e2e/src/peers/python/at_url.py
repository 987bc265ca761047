"""Serves an application on a free port of 127.0.0.1, and prints the port."""

import socket

import uvicorn


def serve(app):
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    print(listening.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="critical")).run(sockets=[listening])
