import { z } from 'zod'
import { flowSeconds, LONGEST_WAIT, MAX_ACTIONS, MAX_PARAM, MAX_TEXT, problemOf } from './flows.rules.ts'
import { channel, EvenIfUsed, id, instant, listChannel, page, pageQuery, readJson, route } from './kit.ts'
import { Media } from './media.ts'

export const FlowType = z.enum(['Bot', 'Chat'])
export type FlowType = z.infer<typeof FlowType>

export const ActionType = z.enum(['SendText', 'SendMedia', 'Composing', 'Recording', 'Delay'])
export type ActionType = z.infer<typeof ActionType>

/** One thing that a flow does. */
export const FlowAction = z.object({
  actionType: ActionType,
  /** The text, or the caption of a file. */
  body: z.string(),
  /** Seconds of typing, recording or waiting; 0 for messages. */
  param: z.int(),
  /** Address of its file, under both names of the documents; null without one. */
  media: z.string().nullable(),
  mediaUrl: z.string().nullable(),
  mediaFileName: z.string(),
  /** Its position, from 1. */
  order: z.int(),
  /** image, video, audio or document, and what is known of the file; null without one. */
  mediaType: z.string().nullable(),
  file: Media.nullable(),
})
export type FlowAction = z.infer<typeof FlowAction>

/** A fixed sequence of messages: played by a bot, or by an attendant with `;`. */
export const Flow = z.object({
  id: z.int(),
  name: z.string(),
  type: FlowType,
  flowActions: z.array(FlowAction),
})
export type Flow = z.infer<typeof Flow>

/** A flow that is played to a customer at this moment. */
export const FlowRun = z.object({
  id: z.int(),
  ticketId: z.int(),
  /** What it was called when it began. */
  name: z.string(),
  /** Who started it; null: a bot. */
  user: z.object({ id: z.int(), name: z.string() }).nullable(),
  startedAt: instant,
  /** Estimated time of its last message. */
  endsAt: instant,
})
export type FlowRun = z.infer<typeof FlowRun>

const numberIn = (value: unknown) =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : (value ?? undefined)

/** An action to save. A stored file is named by its address, one uploaded as `mediaFile` by its name. */
export const FlowActionInput = z
  .object({
    actionType: ActionType,
    body: z
      .string()
      .max(MAX_TEXT, 'Too Long!')
      .nullish()
      .transform(text => text ?? ''),
    param: z.preprocess(numberIn, z.int().min(0).max(MAX_PARAM).default(0)),
    media: z.string().max(200).nullish(),
    mediaUrl: z.string().max(200).nullish(),
    mediaFileName: z
      .string()
      .max(500)
      .nullish()
      .transform(name => name ?? ''),
    order: z.preprocess(numberIn, z.int().optional()),
  })
  .superRefine((action, { addIssue }) => {
    const problem = problemOf(action)
    if (problem) addIssue({ code: 'custom', path: [problem.field], message: problem.message })
  })
export type FlowActionInput = z.output<typeof FlowActionInput>

const flowName = (longerThan: number) =>
  z
    .string({ error: 'O nome é obrigatório' })
    .trim()
    .min(1, 'O nome é obrigatório')
    .min(longerThan, 'O nome deve conter no mínimo 5 caracteres')
    .max(100, 'Too Long!')

const type = z.enum(FlowType.options, { error: 'Selecione um tipo de fluxo' })

/** The form's check: the name is longer than five (OP-11). */
export const FlowForm = z.object({ name: flowName(6), type })

export const FlowInput = z.object({
  name: flowName(5),
  type,
  /** JSON in a form. */
  flowActions: z.preprocess(
    given => (typeof given === 'string' ? readJson(given) : given),
    z
      .array(FlowActionInput)
      .max(MAX_ACTIONS, 'Too many actions')
      .refine(actions => flowSeconds(actions) <= LONGEST_WAIT, 'Takes longer than an hour')
      .default([]),
  ),
})
export type FlowInput = z.output<typeof FlowInput>

const flowId = z.object({ flowId: id })
const ticketId = z.object({ ticketId: id })
const Running = z.object({ run: FlowRun.nullable() })

export const flows = {
  list: route('GET', '/flows', {
    needs: 'session',
    summary: 'Flows of the company by name, of one type where it is given, a page at a time.',
    query: pageQuery.extend({ type: FlowType.optional() }),
    reply: page('flows', Flow),
  }),
  show: route('GET', '/flows/:flowId', {
    needs: 'session',
    summary: 'One flow with its actions.',
    params: flowId,
    reply: Flow,
  }),
  create: route('POST', '/flows', {
    needs: 'session',
    summary:
      'Adds a flow. Its files come along as `mediaFile` and are found by the `mediaFileName` of their actions, those of the same name in their order. ERR_NOT_IN_PLAN without flows in the plan.',
    files: 'also',
    body: FlowInput,
    reply: Flow,
  }),
  change: route('PUT', '/flows/:flowId', {
    edits: '/flows/:flowId',
    needs: 'flows:change',
    summary:
      'Changes a flow and puts its actions in the place of the former; files that it has are named by their `mediaUrl`.',
    params: flowId,
    files: 'also',
    body: FlowInput,
    reply: Flow,
  }),
  remove: route('DELETE', '/flows/:flowId', {
    needs: 'shared:delete',
    summary:
      'Deletes a flow. Messages that it sent stay, with their files. ERR_USED_BY_BOTS with their names where bots use it, unless `evenIfUsed`.',
    params: flowId,
    query: EvenIfUsed,
  }),
  running: route('GET', '/tickets/:ticketId/flow', {
    needs: 'session',
    summary: 'The flow that is played on a ticket, or null.',
    params: ticketId,
    reply: Running,
  }),
  start: route('POST', '/tickets/:ticketId/flow', {
    needs: 'session',
    summary:
      'Plays a flow of type Chat to the customer of an open ticket: everything it says is in the outbox with its time when this is answered. The same `id` twice plays it once. ERR_FLOW_RUNNING while another is played there.',
    params: ticketId,
    body: z.object({ flowId: id, id: z.uuid().optional() }),
    reply: Running,
  }),
  stop: route('DELETE', '/tickets/:ticketId/flow', {
    needs: 'session',
    summary: 'Stops the flow of a ticket: what has not begun to be sent is withdrawn.',
    params: ticketId,
    reply: Running,
  }),
}

export const flowChannel = listChannel('flow', Flow)

/** What is played on a ticket from now on. */
export const flowRunChannel = channel(
  'flowRun-{companyId}',
  z.object({ ticketId: z.int(), run: FlowRun.nullable() }),
)
