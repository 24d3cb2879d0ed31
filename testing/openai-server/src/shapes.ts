import { z } from 'zod'

const call = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
})

const words = z.union([
  z.string(),
  z
    .array(
      z.discriminatedUnion('type', [
        z.strictObject({ type: z.literal('text'), text: z.string() }),
        z.strictObject({
          type: z.literal('image_url'),
          image_url: z.strictObject({
            url: z.string().regex(/^(https:\/\/|data:image\/(png|jpeg|webp|gif);base64,)/),
            detail: z.enum(['auto', 'low', 'high']).optional(),
          }),
        }),
      ]),
    )
    .min(1),
])

const Said = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: words }),
  z
    .strictObject({
      role: z.literal('assistant'),
      content: z.string().nullable().optional(),
      tool_calls: z.array(call).min(1).optional(),
    })
    .refine(({ content, tool_calls }) => tool_calls || typeof content === 'string', 'content is required'),
  z.strictObject({ role: z.literal('tool'), content: z.string(), tool_call_id: z.string() }),
])

const NAME = /^[a-zA-Z0-9_-]{1,64}$/

/** Arguments of a chat completion; any other is refused. */
export const Asked = z.strictObject({
  model: z.string().min(1),
  messages: z.array(Said).min(1),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  frequency_penalty: z.number().min(-2).max(2).optional(),
  presence_penalty: z.number().min(-2).max(2).optional(),
  max_tokens: z.int().min(1).optional(),
  max_completion_tokens: z.int().min(1).optional(),
  stop: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(4)]).optional(),
  n: z.literal(1).optional(),
  user: z.string().optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(NAME),
          description: z.string().optional(),
          parameters: z.looseObject({ type: z.literal('object') }).optional(),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .min(1)
    .max(128)
    .optional(),
  tool_choice: z.enum(['none', 'auto', 'required']).optional(),
})
export type Asked = z.infer<typeof Asked>

/** Why a request is invalid: the argument and its error; null when valid. */
export function complaintAbout(given: unknown): { param: string; message: string } | null {
  const { success, error, data } = Asked.safeParse(given)
  if (success) return complaintAboutOrder(data)
  const [issue] = error.issues
  const unknown = issue!.code === 'unrecognized_keys' && issue!.path.length === 0 ? issue!.keys[0] : null
  if (unknown) return { param: unknown, message: `Unrecognized request argument supplied: ${unknown}` }
  return { param: issue!.path.join('.'), message: issue!.message }
}

/** Every call of a tool is answered right behind it, and nothing else is. */
function complaintAboutOrder({ messages, tool_choice, tools, stream, stream_options }: Asked) {
  if (tool_choice && !tools)
    return { param: 'tool_choice', message: "'tool_choice' is only allowed when 'tools' are specified." }
  if (stream_options && !stream)
    return { param: 'stream_options', message: "only allowed when 'stream' is enabled." }
  let open = new Set<string>()
  for (const [at, one] of messages.entries()) {
    const param = `messages.[${at}].role`
    if (one.role === 'tool') {
      if (!open.delete(one.tool_call_id))
        return {
          param,
          message: "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
        }
    } else if (open.size > 0)
      return { param, message: "'tool_calls' must be followed by tool messages responding to each call." }
    if (one.role === 'assistant') open = new Set(one.tool_calls?.map(({ id }) => id))
  }
  return open.size > 0
    ? { param: 'messages', message: "'tool_calls' must be followed by tool messages." }
    : null
}
