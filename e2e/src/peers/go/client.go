package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The client's listener for changed tools is part of its Connect.
func newClient(steps chan float64, changed chan struct{}) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, asked *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": asked.Params.Message}}, nil
		},
		ProgressNotificationHandler: func(_ context.Context, told *mcp.ProgressNotificationClientRequest) {
			steps <- told.Params.Progress
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) {
			select {
			case changed <- struct{}{}:
			default:
			}
		},
	})
}

func transportTo(front []string) mcp.Transport {
	if strings.HasPrefix(front[0], "http") {
		return &mcp.StreamableClientTransport{Endpoint: front[0]}
	}
	return &mcp.CommandTransport{Command: exec.Command(front[0], front[1:]...)}
}

// use adds the server, and prints what the client sees, as JSON.
func use(ctx context.Context, revision string, config json.RawMessage, front []string) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	steps, changed := make(chan float64, 3), make(chan struct{}, 1)
	options := &mcp.ClientSessionOptions{ProtocolVersion: revision}
	session, err := newClient(steps, changed).Connect(ctx, transportTo(front), options)
	if err != nil {
		return err
	}
	defer session.Close()
	seen := map[string]any{"revision": session.InitializeResult().ProtocolVersion}
	if _, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "add_server", Arguments: config}); err != nil {
		return err
	}
	select {
	case <-changed:
	case <-ctx.Done():
		return fmt.Errorf("no list_changed: %w", ctx.Err())
	}
	if err := look(ctx, session, steps, seen); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(seen)
}

func look(ctx context.Context, session *mcp.ClientSession, steps chan float64, seen map[string]any) error {
	names := []string{}
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		names = append(names, tool.Name)
	}
	call := &mcp.CallToolParams{Name: "v__count", Arguments: map[string]any{"n": 3}}
	call.SetProgressToken("steps")
	counted, err := session.CallTool(ctx, call)
	if err != nil {
		return err
	}
	asking := map[string]any{"kinds": []string{"form"}}
	asked, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "v__ask", Arguments: asking})
	if err != nil {
		return err
	}
	seen["tools"] = names
	seen["counted"] = counted.Content[0].(*mcp.TextContent).Text
	seen["steps"] = []float64{<-steps, <-steps, <-steps}
	seen["asked"] = asked.Content[0].(*mcp.TextContent).Text
	return nil
}
