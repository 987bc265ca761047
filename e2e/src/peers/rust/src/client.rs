//! The client: adds a server, and prints what it sees, as JSON.

use std::error::Error;

use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, ErrorData, RoleClient,
    model::*,
    service::{NotificationContext, RequestContext, RunningService},
    transport::{StreamableHttpClientTransport, TokioChildProcess},
};
use serde_json::{Value, json};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What the server of mcpmux sends by itself.
enum Event {
    Progress(f64),
    ToolsChanged,
}

struct Client {
    events: UnboundedSender<Event>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let capabilities = ClientCapabilities::builder().enable_elicitation().build();
        ClientConfig::new(capabilities, Implementation::new("rmcp", "3.11.0"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Err(ErrorData::invalid_params("not a form", None));
        };
        let content = json!({ "name": message });
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content))
    }

    async fn on_progress(
        &self,
        told: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        // mcpmux tells of its own tools' progress too: the SDK asks for it with every request
        if told.total == Some(3.0) {
            let _ = self.events.send(Event::Progress(told.progress));
        }
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        let _ = self.events.send(Event::ToolsChanged);
    }
}

fn lifecycle(mode: &str) -> ClientLifecycleMode {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    match mode {
        "legacy" => ClientLifecycleMode::Initialize,
        "auto" => ClientLifecycleMode::Auto {
            preferred_versions,
            legacy_version: None,
        },
        _ => ClientLifecycleMode::Discover { preferred_versions },
    }
}

async fn connect(
    client: Client,
    mode: &str,
    front: &[String],
) -> Result<RunningService<RoleClient, Client>, Box<dyn Error>> {
    if front[0].starts_with("http") {
        let transport = StreamableHttpClientTransport::from_uri(front[0].clone());
        return Ok(client
            .serve_with_lifecycle(transport, lifecycle(mode))
            .await?);
    }
    let mut command = tokio::process::Command::new(&front[0]);
    command.args(&front[1..]);
    let transport = TokioChildProcess::new(command)?;
    Ok(client
        .serve_with_lifecycle(transport, lifecycle(mode))
        .await?)
}

async fn call(
    client: &RunningService<RoleClient, Client>,
    name: &'static str,
    arguments: Value,
) -> Result<String, Box<dyn Error>> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    let called = CallToolRequestParams::new(name).with_arguments(arguments);
    let result = client.call_tool(called).await?;
    let text = result.content.first().and_then(|block| block.as_text());
    Ok(text.map(|block| block.text.clone()).unwrap_or_default())
}

/// Adds the server, and waits until the client was told of its tools.
async fn add(
    client: &RunningService<RoleClient, Client>,
    config: Value,
    is_legacy: bool,
    events: &mut UnboundedReceiver<Event>,
) -> Result<(), Box<dyn Error>> {
    if is_legacy {
        call(client, "add_server", config).await?;
        while !matches!(events.recv().await, Some(Event::ToolsChanged) | None) {}
        return Ok(());
    }
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    let mut listener = client.listen(filter).await?;
    call(client, "add_server", config).await?;
    listener.next().await?.ok_or("the listener has ended")?;
    Ok(())
}

pub async fn use_server(mode: &str, config: &str, front: &[String]) -> Result<(), Box<dyn Error>> {
    let (sender, mut events) = unbounded_channel();
    let client = connect(Client { events: sender }, mode, front).await?;
    let revision = client.peer_info().map(|info| info.protocol_version.clone());
    add(
        &client,
        serde_json::from_str(config)?,
        mode == "legacy",
        &mut events,
    )
    .await?;
    let tools = client.list_all_tools().await?;
    let counted = call(&client, "v__count", json!({ "n": 3 })).await?;
    let mut steps = Vec::new();
    while steps.len() < 3 {
        if let Event::Progress(step) = events.recv().await.ok_or("the client has ended")? {
            steps.push(step);
        }
    }
    let asked = call(&client, "v__ask", json!({ "kinds": ["form"] })).await?;
    let names: Vec<_> = tools.iter().map(|tool| &tool.name).collect();
    println!(
        "{}",
        json!({ "revision": revision, "tools": names, "counted": counted, "steps": steps, "asked": asked })
    );
    client.cancel().await?;
    Ok(())
}
