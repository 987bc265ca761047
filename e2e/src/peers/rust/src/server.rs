//! The server, with tools that answer, count and ask.

use std::{error::Error, sync::Arc};

use rmcp::{
    ErrorData, RoleServer, ServerHandler, ServiceExt,
    handler::server::{
        tool::{InputResponses as Answers, RequestState},
        wrapper::Parameters,
    },
    model::*,
    service::RequestContext,
    tool, tool_handler, tool_router,
    transport::{
        stdio,
        streamable_http_server::{StreamableHttpService, session::local::LocalSessionManager},
    },
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

#[derive(Clone)]
struct Server;

#[derive(Deserialize, JsonSchema)]
struct Echoed {
    message: String,
}

#[derive(Deserialize, JsonSchema)]
struct Counted {
    n: u32,
}

#[derive(Deserialize, Serialize, JsonSchema)]
struct Named {
    name: String,
}
rmcp::elicit_safe!(Named);

fn said(text: String) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

fn internal(error: impl ToString) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

fn question() -> Result<CallToolResponse, ErrorData> {
    let form = ElicitRequestParams::FormElicitationParams {
        meta: None,
        message: "Your name?".into(),
        requested_schema: ElicitationSchema::from_type::<Named>().map_err(internal)?,
    };
    let form = InputRequest::Elicitation(ElicitRequest::new(form));
    let asked = InputRequests::from([("form".to_string(), form)]);
    Ok(InputRequiredResult::new(Some(asked), Some("state".into())).into())
}

#[tool_router]
impl Server {
    #[tool]
    async fn echo(Parameters(Echoed { message }): Parameters<Echoed>) -> CallToolResponse {
        said(message)
    }

    #[tool]
    async fn count(
        Parameters(Counted { n }): Parameters<Counted>,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let token = context.meta.get_progress_token();
        for step in 1..=token.as_ref().map_or(0, |_| n) {
            let token = token.clone().expect("steps are of a token");
            let progress = ProgressNotificationParam::new(token, step.into()).with_total(n.into());
            context
                .peer
                .notify_progress(progress)
                .await
                .map_err(internal)?;
        }
        Ok(said(n.to_string()))
    }

    // The SDK plays no rounds with clients of the legacy era: these are sent a request.
    #[tool]
    async fn ask(
        RequestState(state): RequestState,
        Answers(answers): Answers,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if context.protocol_version() < Some(ProtocolVersion::V_2026_07_28) {
            let named = context
                .peer
                .elicit::<Named>("Your name?")
                .await
                .map_err(internal)?;
            let name = named.ok_or_else(|| internal("no name"))?.name;
            return Ok(said(format!("accept {name} state")));
        }
        let Some(answers) = answers else {
            return question();
        };
        let form = &answers["form"];
        let (action, name) = (&form["action"], &form["content"]["name"]);
        let text = |value: &serde_json::Value| value.as_str().unwrap_or("?").to_string();
        Ok(said(format!(
            "{} {} {}",
            text(action),
            text(name),
            state.unwrap_or_default()
        )))
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

pub async fn serve_over_stdio() -> Result<(), Box<dyn Error>> {
    Server.serve(stdio()).await?.waiting().await?;
    Ok(())
}

/// Serves on a free port of 127.0.0.1, and prints the port.
pub async fn serve_at_url() -> Result<(), Box<dyn Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    let service = StreamableHttpService::new(
        || Ok(Server),
        std::sync::Arc::<
            rmcp::transport::streamable_http_server::session::local::LocalSessionManager,
        >::default(),
        Default::default(),
    );
    axum::serve(listener, axum::Router::new().fallback_service(service)).await?;
    Ok(())
}
