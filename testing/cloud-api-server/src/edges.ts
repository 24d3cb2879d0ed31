import { Account } from './account.ts'
import { describeAccount, listNumbers, listTemplates } from './account-edges.ts'
import { App } from './app.ts'
import { syncAppData } from './app-history.ts'
import type { Answer, Call } from './call.ts'
import { debugToken } from './debug-token.ts'
import { noSuchObject, refusal, unknownPath } from './graph-error.ts'
import { Media } from './media.ts'
import { deleteMedia, describeMedia, uploadMedia } from './media-edges.ts'
import { PhoneNumber } from './phone-number.ts'
import { changeNumber, deregister, describeNumber, register } from './phone-number-edges.ts'
import { postMessage } from './sending.ts'
import type { Node, State } from './state.ts'
import { listSubscriptions, subscribe, unsubscribe } from './subscriptions.ts'
import type { Permission } from './token.ts'

type Edge<T> = { may: Permission; answer: (node: T, call: Call) => Answer | Promise<Answer> }

const messaging = <T>(answer: Edge<T>['answer']): Edge<T> => ({ may: 'whatsapp_business_messaging', answer })
const management = <T>(answer: Edge<T>['answer']): Edge<T> => ({
  may: 'whatsapp_business_management',
  answer,
})

/** Calls of a number, an account, a file: `METHOD edge`. */
const NUMBER: Record<string, Edge<PhoneNumber>> = {
  'GET ': management(describeNumber),
  'POST ': management(changeNumber),
  'POST messages': messaging(postMessage),
  'POST media': messaging(uploadMedia),
  'POST register': management(register),
  'POST deregister': management(deregister),
  'POST smb_app_data': management(syncAppData),
}
const ACCOUNT: Record<string, Edge<Account>> = {
  'GET ': management(describeAccount),
  'GET phone_numbers': management(listNumbers),
  'GET message_templates': management(listTemplates),
  'GET subscribed_apps': management(listSubscriptions),
  'POST subscribed_apps': management(subscribe),
  'DELETE subscribed_apps': management(unsubscribe),
}
const MEDIA: Record<string, Edge<Media>> = {
  'GET ': messaging(describeMedia),
  'DELETE ': messaging(deleteMedia),
}

/** Finds what the path names and asks it. Throws when there is no such thing, or the token may not. */
export async function answerCall(state: State, call: Call): Promise<Answer> {
  const [id = '', edge = '', ...more] = call.path
  if (id === 'debug_token' && call.method === 'GET') return debugToken(state, call)
  const node = state.nodes.get(id)
  if (!node || !reaches(call, node)) throw noSuchObject(call.method, id)
  if (node instanceof PhoneNumber) return ask(state, NUMBER, node, call, [edge, ...more])
  if (node instanceof Account) return ask(state, ACCOUNT, node, call, [edge, ...more])
  if (node instanceof Media && !node.expired) return ask(state, MEDIA, node, call, [edge, ...more])
  throw noSuchObject(call.method, id)
}

function ask<T extends Node>(
  state: State,
  edges: Record<string, Edge<T>>,
  node: T,
  call: Call,
  path: string[],
): Answer | Promise<Answer> {
  const edge = edges[`${call.method} ${path.join('/')}`]
  if (!edge) {
    state.unknown.push(`${call.method} /${path.join('/')}`)
    throw unknownPath(`/${path.join('/')}`)
  }
  if (!call.token.permissions.has(edge.may)) throw refusal(10)
  return edge.answer(node, call)
}

/** A token sees the accounts it was given for, and what is in them. */
function reaches({ token }: Call, node: Node): boolean {
  if (node instanceof App) return token.app === node
  if (node instanceof Account) return token.accounts.has(node)
  const account = node instanceof Media ? node.number.account : node.account
  return token.accounts.has(account)
}
