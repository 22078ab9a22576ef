export default ({ n }, { call, context, attempt, idempotencyKey, sessionId }) => ({
  doubled: n * 2,
  name: call.name,
  context,
  attempt,
  idempotencyKey,
  sessionId,
});
