// The worker: `PUT /runs/ID` with a task starts a run, `GET /runs/ID` shows it, `POST /runs/ID/decisions` decides about calls.

export { AgentRun } from "./run.js";

export default {
  async fetch(request, env) {
    const [, runs, id, rest] = new URL(request.url).pathname.split("/");
    if (runs !== "runs" || !id) return new Response("not found", { status: 404 });
    const run = env.RUNS.getByName(id);
    if (request.method === "PUT") await run.start(await request.text());
    if (request.method === "POST" && rest === "decisions") await run.decide(await request.json());
    const view = await run.view();
    return view ? Response.json(view) : new Response("no such run", { status: 404 });
  },
};
