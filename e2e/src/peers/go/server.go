package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type echoed struct {
	Message string `json:"message"`
}

type counted struct {
	N int `json:"n"`
}

var form = json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`)

func said(text string) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
}

func echo(_ context.Context, _ *mcp.CallToolRequest, args echoed) (*mcp.CallToolResult, any, error) {
	return said(args.Message)
}

func count(ctx context.Context, call *mcp.CallToolRequest, args counted) (*mcp.CallToolResult, any, error) {
	token := call.Params.GetProgressToken()
	for step := 1; token != nil && step <= args.N; step++ {
		progress := &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(step), Total: float64(args.N)}
		if err := call.Session.NotifyProgress(ctx, progress); err != nil {
			return nil, nil, err
		}
	}
	return said(fmt.Sprint(args.N))
}

// The SDK plays the round itself with a client of the legacy era.
func ask(_ context.Context, call *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
	if answer, ok := call.Params.InputResponses["form"].(*mcp.ElicitResult); ok {
		return said(fmt.Sprintf("%s %v %s", answer.Action, answer.Content["name"], call.Params.RequestState))
	}
	question := &mcp.ElicitParams{Mode: "form", Message: "Your name?", RequestedSchema: form}
	asked := mcp.InputRequestMap{"form": question}
	return &mcp.CallToolResult{InputRequests: asked, RequestState: "state"}, nil, nil
}

// serve serves over stdio, or on a free port of 127.0.0.1, which it prints. Over HTTP the SDK serves the modern era
// without sessions alone, and sends requests to clients of the legacy era with sessions alone.
func serve(ctx context.Context, overHTTP, isModern bool) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "go", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, echo)
	mcp.AddTool(server, &mcp.Tool{Name: "count"}, count)
	mcp.AddTool(server, &mcp.Tool{Name: "ask"}, ask)
	if !overHTTP {
		return server.Run(ctx, &mcp.StdioTransport{})
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	one := func(*http.Request) *mcp.Server { return server }
	options := &mcp.StreamableHTTPOptions{Stateless: isModern}
	return http.Serve(listener, mcp.NewStreamableHTTPHandler(one, options))
}
