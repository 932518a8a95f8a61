"""A real A2A agent of the official SDK."""

from a2a.helpers.proto_helpers import (
    new_data_message,
    new_data_part,
    new_task_from_user_message,
)
from a2a.server.agent_execution import AgentExecutor, RequestContext
from a2a.server.events import EventQueue
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_jsonrpc_routes, create_rest_routes
from a2a.server.tasks import InMemoryTaskStore, TaskUpdater
from a2a.types import AgentCard
from starlette.applications import Starlette
from starlette.routing import Mount, Route


class Mugs(AgentExecutor):
    """Answers at once, after a while, or not at all, as the text of the message says."""

    async def execute(self, context: RequestContext, event_queue: EventQueue) -> None:
        assert context.message is not None
        text = context.get_user_input()
        if text in {"now", "who"}:
            data = {"price": 7} if text == "now" else {"tenant": context.tenant}
            await event_queue.enqueue_event(new_data_message(data))
            return
        task = new_task_from_user_message(context.message)
        await event_queue.enqueue_event(task)
        updater = TaskUpdater(event_queue, task.id, task.context_id)
        await updater.start_work()
        if text == "never":
            await updater.failed()
        elif text == "ask":
            await updater.requires_input()
        else:
            await updater.add_artifact([new_data_part({"price": 9})])
            await updater.complete()

    async def cancel(self, context: RequestContext, event_queue: EventQueue) -> None:
        raise NotImplementedError


def a2a_app(*routes: Route) -> Starlette:
    """Returns the agent over JSON-RPC at `/a2a` and over HTTP+JSON at `/rest`, with more routes."""
    handler = DefaultRequestHandler(Mugs(), InMemoryTaskStore(), AgentCard(name="x"))
    return Starlette(
        routes=[
            *routes,
            *create_jsonrpc_routes(handler, "/a2a", enable_v0_3_compat=True),
            Mount("/rest", routes=create_rest_routes(handler)),
        ]
    )
