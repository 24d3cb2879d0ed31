import { randomUUID } from 'node:crypto'
import { accounts } from '@balcao/contract/accounts.ts'
import { assignment } from '@balcao/contract/assignment.ts'
import { auth } from '@balcao/contract/auth.ts'
import { availability } from '@balcao/contract/availability.ts'
import { bulk } from '@balcao/contract/bulk.ts'
import { categories } from '@balcao/contract/categories.ts'
import { chat } from '@balcao/contract/chat.ts'
import { closingReasons } from '@balcao/contract/closingReasons.ts'
import { cloud } from '@balcao/contract/cloud.ts'
import { companies } from '@balcao/contract/companies.ts'
import { connections } from '@balcao/contract/connections.ts'
import { contactMerges } from '@balcao/contract/contactMerges.ts'
import { contactSheets } from '@balcao/contract/contactSheets.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { drafts } from '@balcao/contract/drafts.ts'
import { flows } from '@balcao/contract/flows.ts'
import { imports } from '@balcao/contract/imports.ts'
import { integrations } from '@balcao/contract/integrations.ts'
import { invitations } from '@balcao/contract/invitations.ts'
import type { Route } from '@balcao/contract/kit.ts'
import { locations } from '@balcao/contract/locations.ts'
import { marks } from '@balcao/contract/marks.ts'
import { mentions } from '@balcao/contract/mentions.ts'
import { messageLogs } from '@balcao/contract/messageLogs.ts'
import { messages } from '@balcao/contract/messages.ts'
import { privateNotes } from '@balcao/contract/notes.ts'
import { pauseReasons } from '@balcao/contract/pauseReasons.ts'
import { permissions } from '@balcao/contract/permissions.ts'
import { presence } from '@balcao/contract/presence.ts'
import { push } from '@balcao/contract/push.ts'
import { queues } from '@balcao/contract/queues.ts'
import { quickAnswers } from '@balcao/contract/quickAnswers.ts'
import { referrals } from '@balcao/contract/referrals.ts'
import { reports } from '@balcao/contract/reports.ts'
import { secretUses } from '@balcao/contract/secretUses.ts'
import { simulator } from '@balcao/contract/simulator.ts'
import { surveys } from '@balcao/contract/surveys.ts'
import { tags } from '@balcao/contract/tags.ts'
import { targets } from '@balcao/contract/targets.ts'
import { team } from '@balcao/contract/team.ts'
import { tickets } from '@balcao/contract/tickets.ts'
import { transcripts } from '@balcao/contract/transcripts.ts'
import { users } from '@balcao/contract/users.ts'
import { views } from '@balcao/contract/views.ts'
import { automationRows } from './access.automation.ts'
import {
  adminsIn,
  everyoneIn,
  type Line,
  mastersOnly,
  operatorRows,
  ours,
  oursForAdmins,
  type Statuses,
} from './access.ts'
import { newNumber, type Rows, unique } from './rows.ts'

/** Links without a letter. */
const over: Statuses = [410, 410, 410, 410, 410]

const queueId = async (rows: Rows) => ({ params: { queueId: await rows.queue() } })
const userId = async (rows: Rows) => ({ params: { userId: await rows.user() } })
const invitationId = async (rows: Rows) => ({ params: { invitationId: await rows.invitation() } })
const groupId = async (rows: Rows) => ({ params: { authorizationId: await rows.authorization() } })
const lineId = async (rows: Rows) => ({ params: { whatsappId: await rows.connection() } })
const categoryId = async (rows: Rows) => ({ params: { categoryId: await rows.category() } })
const sheetId = async (rows: Rows) => ({ params: { sheetId: await rows.sheet() } })
const contactId = async (rows: Rows) => ({ params: { contactId: await rows.contact() } })
const pair = async (rows: Rows) => ({ into: await rows.contact(), from: await rows.contact() })
const mergeId = async (rows: Rows) => ({ params: { mergeId: await rows.merge() } })
const ticketId = async (rows: Rows) => ({ params: { ticketId: await rows.ticket() } })
const aTag = () => ({ body: { name: `Etiqueta ${unique()}` } })
const aView = () => ({ name: `Visão ${unique()}`, filters: {} })
const viewId = async (rows: Rows) => ({
  params: { viewId: await rows.added(views.create, { ...aView(), shared: true }) },
})
const tagId = async (rows: Rows) => ({ params: { tagId: await rows.added(tags.create, aTag().body) } })
const aNumber = '5511999990000'
const phone = async (rows: Rows) => ({ params: { whatsappId: await rows.phone(), number: aNumber } })
const onPhone = async (rows: Rows) => ({
  params: { whatsappId: await rows.phone(), messageId: await rows.onPhone(aNumber) },
})

/** Who may call what, route by route: what is not automation (access.automation.ts). A served route without a row fails. */
export const table: Line[] = [
  [auth.login, [401, 401, 401, 401, 401], () => ({ body: { email: `${unique()}@x.test`, password: 'x' } })],
  [auth.refresh, [401, 401, 401, 401, 401]],
  [
    auth.signup,
    [200, 200, 200, 200, 200],
    () => ({ body: { name: 'Loja', email: `${unique()}@loja.test`, password: 'uma-senha-boa' } }),
  ],
  [auth.logout, everyoneIn],
  // without configured mail the error is the same for everyone
  [accounts.forgot, [409, 409, 409, 409, 409], () => ({ body: { email: `${unique()}@x.test` } })],
  [accounts.reset, over, () => ({ body: { token: 'x', password: 'uma-senha-boa' } })],
  [reports.endMail, over, () => ({ body: { token: 'x' } })],
  [accounts.confirmEmail, over, () => ({ body: { token: 'x' } })],
  [
    accounts.changePassword,
    [401, 400, 400, 400, 400],
    () => ({ body: { oldPassword: 'x', password: 'uma-senha-boa' } }),
  ],
  [
    accounts.changeEmail,
    [401, 400, 400, 400, 400],
    () => ({ body: { oldPassword: 'x', email: `${unique()}@x.test` } }),
  ],
  [accounts.sessions, everyoneIn],
  [accounts.endSession, [401, 404, 404, 404, 404], () => ({ params: { sessionId: randomUUID() } })],
  [accounts.endOtherSessions, everyoneIn],

  [invitations.list, adminsIn],
  [invitations.create, oursForAdmins, anInvitation],
  [invitations.resend, oursForAdmins, invitationId],
  [invitations.withdraw, oursForAdmins, invitationId],
  [invitations.look, over, () => ({ body: { token: 'x' } })],
  [invitations.accept, over, () => ({ body: { token: 'x', name: 'Nina', password: 'uma-senha-boa' } })],

  [companies.branding, [200, 200, 200, 200, 200]],
  [
    companies.change,
    oursForAdmins,
    async rows => ({ params: { companyId: await rows.company() }, body: { timeZone: null } }),
  ],
  [companies.show, oursForAdmins, async rows => ({ params: { companyId: await rows.company() } })],
  // without a configured service no request leaves
  [companies.findPostalCode, [409, 409, 409, 409, 409], () => ({ params: { cep: '01310100' } })],
  [companies.findCnpj, [409, 409, 409, 409, 409], () => ({ params: { cnpj: '11222333000181' } })],
  [companies.settings, mastersOnly],
  [
    companies.changeSetting,
    mastersOnly,
    () => ({ params: { settingKey: 'userCreation' }, body: { value: 'enabled' } }),
  ],

  // without an app of the operator at Meta there is none
  [connections.signUp, [401, 403, 400, 400, 400], () => ({ body: { code: 'no code of Meta' } })],
  // of another kind of connection there are none
  [cloud.templates, [401, 400, 400, 404, 404], lineId],
  [cloud.prices, adminsIn],
  [referrals.list, adminsIn],
  [referrals.tickets, adminsIn, () => ({ query: { key: 'ad 1' } })],

  [queues.list, everyoneIn],
  [queues.show, ours, queueId],
  [queues.create, adminsIn, () => ({ body: { name: `Setor ${unique()}`, color: `#${unique()}` } })],
  [
    queues.change,
    oursForAdmins,
    async rows => ({ ...(await queueId(rows)), body: { greetingMessage: 'Oi' } }),
  ],
  [queues.remove, oursForAdmins, queueId],
  [assignment.list, everyoneIn],
  [assignment.show, ours, queueId],
  [assignment.change, oursForAdmins, async rows => ({ ...(await queueId(rows)), body: { mode: 'least' } })],
  [closingReasons.choices, everyoneIn],
  [closingReasons.showQueue, ours, queueId],
  [
    closingReasons.changeQueue,
    oursForAdmins,
    async rows => ({ ...(await queueId(rows)), body: { farewell: 'Até logo' } }),
  ],
  [reports.reasons, adminsIn],
  [surveys.show, adminsIn],
  [surveys.change, adminsIn, () => ({ body: { enabled: false } })],
  [surveys.answers, adminsIn],
  [targets.show, ours, queueId],
  [targets.change, oursForAdmins, async rows => ({ ...(await queueId(rows)), body: { replyMinutes: 15 } })],
  [targets.report, adminsIn],
  [targets.missed, adminsIn],
  [targets.export, adminsIn],

  [permissions.list, everyoneIn],
  [permissions.show, oursForAdmins, groupId],
  [permissions.create, adminsIn, () => ({ body: { name: `Grupo ${unique()}` } })],
  [
    permissions.change,
    oursForAdmins,
    async rows => ({ ...(await groupId(rows)), body: { name: `Grupo ${unique()}` } }),
  ],
  [permissions.remove, oursForAdmins, groupId],

  [users.list, everyoneIn],
  [users.all, everyoneIn],
  [users.show, ours, userId],
  [users.create, oursForAdmins, aUser],
  [users.change, oursForAdmins, async rows => ({ ...(await userId(rows)), body: { volume: 1 } })],
  [users.remove, oursForAdmins, userId],
  [users.belongings, oursForAdmins, userId],
  [team.board, everyoneIn],
  [team.pauses, adminsIn],
  [team.exportPauses, adminsIn, () => ({ query: { format: 'csv' } })],
  [availability.set, everyoneIn, () => ({ body: { state: 'available' } })],
  [availability.own, everyoneIn],
  [availability.here, everyoneIn],
  [availability.setOf, oursForAdmins, async rows => ({ ...(await userId(rows)), body: { state: 'away' } })],
  [availability.hours, oursForAdmins, userId],
  [
    availability.changeHours,
    oursForAdmins,
    async rows => ({
      ...(await userId(rows)),
      body: { working: [{ weekday: 0, opens: 0, closes: 1_440 }], login: [] },
    }),
  ],
  [availability.settings, adminsIn],
  [availability.changeSettings, adminsIn, () => ({ body: { silenceMinutes: 240 } })],
  [secretUses.list, oursForAdmins, userId],

  [connections.list, everyoneIn],
  [connections.show, ours, lineId],
  [connections.falls, oursForAdmins, lineId],
  [connections.create, adminsIn, () => ({ body: { name: `Linha ${unique()}` } })],
  [
    connections.change,
    oursForAdmins,
    async rows => ({ ...(await lineId(rows)), body: { farewellMessage: 'Até' } }),
  ],
  [connections.remove, oursForAdmins, lineId],
  [
    connections.heir,
    oursForAdmins,
    async rows => ({ ...(await lineId(rows)), query: { heirId: await rows.connection() } }),
  ],
  [connections.start, oursForAdmins, lineId],
  [connections.renew, oursForAdmins, async rows => ({ ...(await lineId(rows)), body: {} })],
  [connections.disconnect, oursForAdmins, lineId],
  [imports.close, oursForAdmins, lineId],

  [categories.list, everyoneIn],
  [categories.all, everyoneIn],
  [categories.show, ours, categoryId],
  [categories.create, everyoneIn, () => ({ body: { name: `Categoria ${unique()}` } })],
  [categories.change, ours, async rows => ({ ...(await categoryId(rows)), body: { color: 'red' } })],
  [
    categories.merge,
    ours,
    async rows => ({ ...(await categoryId(rows)), body: { into: await rows.category() } }),
  ],
  [categories.remove, ours, categoryId],

  [contacts.list, everyoneIn],
  [contacts.show, ours, contactId],
  [contacts.create, everyoneIn, () => ({ body: { name: 'Rui', number: newNumber() } })],
  [contacts.change, ours, async rows => ({ ...(await contactId(rows)), body: { name: 'Rui Costa' } })],
  [contacts.data, oursForAdmins, contactId],
  [contacts.remove, oursForAdmins, contactId],
  [
    contacts.categorize,
    ours,
    async rows => ({ body: { contactId: await rows.contact(), categoryContacts: [await rows.category()] } }),
  ],
  [contacts.importOne, adminsIn, () => ({ body: { name: 'Rui', number: newNumber() } })],

  [contactMerges.preview, oursForAdmins, async rows => ({ query: await pair(rows) })],
  [contactMerges.suggestions, adminsIn],
  [contactMerges.keepApart, oursForAdmins, async rows => ({ body: await pair(rows) })],
  [contactMerges.list, adminsIn],
  [contactMerges.merge, oursForAdmins, async rows => ({ body: await pair(rows) })],
  [contactMerges.undo, oursForAdmins, mergeId],

  // without a file
  [contactSheets.stage, [401, 403, 400, 400, 400]],
  [contactSheets.current, adminsIn],
  [
    contactSheets.choose,
    oursForAdmins,
    async rows => ({ ...(await sheetId(rows)), body: { policy: 'skip' } }),
  ],
  // no column of numbers is chosen
  [contactSheets.start, [401, 403, 400, 404, 404], sheetId],
  [contactSheets.cancel, oursForAdmins, sheetId],
  [contactSheets.show, oursForAdmins, sheetId],
  [contactSheets.rows, oursForAdmins, sheetId],
  [contactSheets.refused, oursForAdmins, sheetId],
  [contactSheets.export, adminsIn],
  [contactSheets.template, adminsIn],

  [tickets.list, everyoneIn],
  [tickets.attendants, everyoneIn],
  [tickets.story, ours, ticketId],
  // the admin made the last move
  [tickets.undo, [401, 409, 200, 404, 404], ticketId],
  [tickets.show, ours, ticketId],
  [marks.snooze, ours, async rows => ({ ...(await ticketId(rows)), body: { until: null } })],
  [marks.follow, ours, async rows => ({ ...(await ticketId(rows)), body: { on: true } })],
  [marks.seen, ours, async rows => await ticketId(rows)],
  [marks.pin, ours, async rows => ({ ...(await ticketId(rows)), body: { on: true } })],
  [marks.unread, ours, async rows => ({ ...(await ticketId(rows)), body: { on: true } })],
  [tickets.clearTags, ours, ticketId],
  [tickets.addTag, ours, async rows => ({ params: { ...(await ticketId(rows)).params, tagId: '1' } })],
  [tickets.syncTags, ours, async rows => ({ body: { ...(await ticketId(rows)).params, tags: [] } })],
  [
    tickets.open,
    ours,
    async rows => ({ body: { contactId: await rows.contact(), queueId: rows.attendantsQueue } }),
  ],
  [tickets.change, ours, async rows => ({ ...(await ticketId(rows)), body: { status: 'closed' } })],
  [tickets.remove, oursForAdmins, ticketId],
  [tickets.checkContactOpen, ours, async rows => ({ body: { contactId: await rows.customer() } })],
  [tickets.resolveMany, adminsIn, async rows => ({ body: { Tickets: [await rows.ticket()] } })],
  [
    bulk.change,
    everyoneIn,
    async rows => ({ body: { ids: [await rows.ticket()], action: 'undo' as const } }),
  ],
  [transcripts.pdf, ours, ticketId],
  [transcripts.mail, [401, 409, 409, 404, 404], ticketId],
  [tickets.query, everyoneIn],
  [tickets.export, [401, 403, 200, 403, 403], async rows => ({ body: { contact: await rows.contact() } })],

  [tags.list, everyoneIn],
  [tags.all, everyoneIn],
  [tags.show, ours, tagId],
  [tags.create, everyoneIn, aTag],
  [tags.change, ours, async rows => ({ ...(await tagId(rows)), body: { kanban: 1 } })],
  [
    tags.merge,
    oursForAdmins,
    async rows => ({ ...(await tagId(rows)), body: { into: (await tagId(rows)).params.tagId } }),
  ],
  [tags.remove, oursForAdmins, tagId],

  [messages.list, ours, ticketId],
  [messages.files, ours, ticketId],
  [messages.members, ours, ticketId],
  [
    messages.send,
    ours,
    async rows => ({
      params: { ticketId: await rows.ticket(), companyId: rows.companyId },
      body: { body: 'Oi' },
    }),
  ],
  [
    messages.forward,
    ours,
    async rows => {
      const { ticketId, messageId } = await rows.said()
      const body = { from: ticketId, messages: [{ id: randomUUID(), messageId }] }
      return { params: { ticketId }, body }
    },
  ],
  [presence.report, ours, async rows => ({ ...(await ticketId(rows)), body: { doing: 'looking' } })],
  ...chatLines(),
  [drafts.list, everyoneIn],
  [
    drafts.save,
    ours,
    async rows => ({ ...(await ticketId(rows)), body: { body: 'Oi', quotedId: null, at: 1 } }),
  ],
  [messages.resend, ours, async rows => ({ params: { messageId: await rows.failedMessage() } })],
  // written by no user of the company: admins change and delete it
  [
    messages.remove,
    oursForAdmins,
    async rows => ({ params: { messageId: await rows.sentMessage(), channel: 'whatsapp' } }),
  ],
  [
    messages.edit,
    oursForAdmins,
    async rows => ({ params: { messageId: await rows.sentMessage() }, body: { body: 'Olá' } }),
  ],
  // only its author changes a note
  [
    privateNotes.edit,
    [401, 403, 403, 404, 404],
    async rows => ({ params: { messageId: await rows.note() }, body: { body: 'Ligar antes' } }),
  ],
  [
    privateNotes.remove,
    [401, 403, 403, 404, 404],
    async rows => ({ params: { messageId: await rows.note() } }),
  ],
  [push.key, everyoneIn],
  [push.devices, everyoneIn],
  // an address that nothing serves is refused to everybody alike
  [push.subscribe, [401, 400, 400, 400, 400], () => ({ body: { endpoint: 'https://10.0.0.1/', keys: {} } })],
  [push.unsubscribe, everyoneIn, () => ({ body: { endpoint: 'https://push.test/none' } })],
  [push.removeDevice, [401, 404, 404, 404, 404], () => ({ params: { subscriptionId: 2_000_000_000 } })],
  [push.settings, everyoneIn],
  [push.changeSettings, everyoneIn, () => ({ body: { mine: true } })],
  [push.test, everyoneIn],
  [mentions.list, everyoneIn],
  [mentions.read, everyoneIn, () => ({ body: { ids: [2_000_000_000] } })],
  [messages.versions, ours, async rows => ({ params: { messageId: await rows.sentMessage() } })],
  [
    messages.react,
    ours,
    async rows => ({ params: { messageId: await rows.sentMessage() }, body: { emoji: '👍' } }),
  ],
  [
    messages.pin,
    ours,
    async rows => ({ params: { messageId: await rows.sentMessage() }, body: { span: null } }),
  ],
  [messages.pins, ours, async rows => ({ ...(await ticketId(rows)) })],
  [messages.fetchMedia, ours, async rows => ({ params: { messageId: await rows.lostFile() } })],
  [messages.type, ours, async rows => ({ ...(await ticketId(rows)), body: { state: 'composing' } })],

  [messageLogs.list, mastersOnly],
  [messageLogs.reprocess, mastersOnly, async rows => ({ params: { logId: await rows.rawLog() } })],
  [messageLogs.removeAll, mastersOnly],

  ...listLines(locations, 'locationId', { name: 'Loja', latitude: 1, longitude: 2 }),
  // refused where the installation has no maps key
  [locations.search, [401, 409, 409, 409, 409], () => ({ query: { searchParam: 'Rua do Sol' } })],

  ...listLines(flows, 'flowId', { name: 'Boas-vindas', type: 'Chat' }, [everyoneIn, oursForAdmins]),

  ...listLines(quickAnswers, 'quickAnswerId', () => ({ shortcut: unique(), message: 'Dez dias.' })),
  ...listLines(closingReasons, 'closingReasonId', () => ({ name: `Motivo ${unique()}` }), [
    adminsIn,
    oursForAdmins,
  ]),
  ...listLines(pauseReasons, 'pauseReasonId', { name: 'prazo' }, [adminsIn, oursForAdmins]),

  [views.list, everyoneIn],
  [views.create, everyoneIn, () => ({ body: aView() })],
  // a shared one of the admin's
  [views.change, oursForAdmins, async rows => ({ ...(await viewId(rows)), body: { name: 'Minha' } })],
  [views.remove, oursForAdmins, viewId],

  ...masterLines(),
  ...operatorRows(),
  ...automationRows,

  [
    simulator.write,
    ours,
    async rows => ({ ...(await phone(rows)), body: { number: newNumber(), body: 'Oi' } }),
  ],
  [
    simulator.edit,
    ours,
    async rows => ({ ...(await onPhone(rows)), body: { number: aNumber, body: 'Olá' } }),
  ],
  [simulator.remove, ours, async rows => ({ ...(await onPhone(rows)), query: { number: aNumber } })],
  [
    simulator.vote,
    // what the phone has is no poll
    [401, 404, 404, 404, 404],
    async rows => ({ ...(await onPhone(rows)), body: { number: aNumber, choices: [] } }),
  ],
  [
    simulator.react,
    ours,
    async rows => ({ ...(await onPhone(rows)), body: { number: aNumber, emoji: '👍' } }),
  ],
  [
    simulator.type,
    ours,
    async rows => ({ ...(await phone(rows)), body: { number: aNumber, state: 'composing' } }),
  ],
  [simulator.chats, ours, phone],
  [simulator.chat, ours, phone],
  [
    simulator.receipt,
    ours,
    async rows => ({ ...(await phone(rows)), body: { number: '5511999990000', ack: 3 } }),
  ],
  [simulator.fault, oursForAdmins, async rows => ({ ...(await phone(rows)), body: { kind: 'none' } })],
]

/** The five calls of a list that all users may read; by default any user may change it and admins delete. */
function listLines(
  { list, show, create, change, remove }: Record<'list' | 'show' | 'create' | 'change' | 'remove', Route>,
  idName: string,
  given: object | (() => object),
  [added, changed, removed = changed]: [Statuses, Statuses, Statuses?] = [everyoneIn, ours, oursForAdmins],
): Line[] {
  const body = typeof given === 'function' ? given : () => given
  const one = async (rows: Rows) => ({ params: { [idName]: await rows.added(create, body()) } })
  return [
    [list, everyoneIn],
    [show, ours, one],
    [create, added, () => ({ body: body() })],
    [change, changed, async rows => ({ ...(await one(rows)), body: body() })],
    [remove, removed, one],
  ]
}

/** Rows of the platform's company, which the admin of a company cannot add: only the right to access is tested. */
function masterLines(): Line[] {
  const body = { name: 'Modelo', apiUrl: 'http://127.0.0.1:9', apiToken: 'sk-1' }
  const gone: Statuses = [401, 403, 403, 403, 404]
  const anonymous = () => ({ params: { integrationId: 2_000_000_000 } })
  return [
    [integrations.list, mastersOnly],
    [integrations.create, mastersOnly, () => ({ body })],
    [integrations.show, gone, anonymous],
    [integrations.change, gone, () => ({ ...anonymous(), body })],
    [integrations.remove, gone, anonymous],
    [integrations.test, gone, anonymous],
  ]
}

async function anInvitation(rows: Rows) {
  const { body } = await aUser(rows)
  const { password: _chosenLater, ...invited } = body
  return { body: invited }
}

async function aUser(rows: Rows) {
  const email = `${unique()}@lume.test`
  const groups = { userAuthorizationId: await rows.authorization(), queueIds: [await rows.queue()] }
  return {
    body: { name: 'Nova', email, password: 'uma-senha-boa', whatsappId: await rows.phone(), ...groups },
  }
}

/** The people of the table are in no room that they did not make. */
function chatLines(): Line[] {
  const none = [401, 404, 404, 404, 404] satisfies Statuses
  const params = { roomId: 2_000_000_000 }
  const message = { params: { messageId: randomUUID() } }
  return [
    [chat.rooms, everyoneIn],
    [chat.open, ours, async rows => ({ body: { userIds: [await rows.user()] } })],
    [chat.change, none, () => ({ params, body: { name: 'Turno' } })],
    [chat.leave, none, () => ({ params })],
    [chat.messages, none, () => ({ params })],
    [chat.send, none, () => ({ params, body: { body: 'Oi' } })],
    [chat.read, none, () => ({ params, body: { position: 1 } })],
    [chat.edit, none, () => ({ ...message, body: { body: 'Oi' } })],
    [chat.remove, none, () => message],
    [chat.search, everyoneIn, () => ({ query: { searchParam: 'turno' } })],
  ]
}
