/** What is not followed: how it works need not be read to follow a way. */
export const leftOut: { what: string; paths: RegExp }[] = [
  { what: 'libraries', paths: /node_modules/ },
  {
    what: 'shapes: the contract without its rules, and tables',
    paths: /^packages\/contract\/src\/(?!.*\.rules\.ts$)|\.table\.ts$/,
  },
  { what: 'texts', paths: /(\.text\.tsx?|\/texts?\/.*)$/ },
  {
    what: 'platform and ui, which each name one mechanism',
    paths: /^apps\/(server|web)\/src\/(platform|ui|theme)\//,
  },
]

/** Files of which a way finds the right one through a list: reading one of them is enough. */
export const leaves = [/^apps\/server\/src\/channels\/baileys\/(?:in|out)bound\/kinds\/(?!index\.ts$)/]

const SERVER = 'apps/server/src/'
const WEB = 'apps/web/src/features/'

/**
 * A way begins in several places: where a network, a queue, an event or a screen lies between, nothing refers to what
 * comes next. `file#name` is followed from there; a file alone is counted and not followed. `most` bounds the
 * spine: it may only fall (`rules/short-ways.ts`).
 */
export const ways: { name: string; from: string[]; most: { files: number; declarations: number } }[] = [
  {
    name: 'send',
    most: { files: 52, declarations: 306 },
    from: [
      `${WEB}messages/composer/open-composer.tsx`,
      `${WEB}messages/sending/send.ts#sendMessage`,
      `${SERVER}features/messages/messages.routes.ts`,
      `${SERVER}features/messages/outbox/outbox.actions.ts#send`,
      `${SERVER}features/messages/messages.live.ts#live`,
      `${SERVER}channels/outbox.ts#sendQueued`,
      `${SERVER}channels/baileys/outbound/send.ts#Sender`,
      `${WEB}messages/messages.live.ts#followMessages`,
    ],
  },
  {
    name: 'inbound',
    most: { files: 96, declarations: 564 },
    from: [
      `${SERVER}channels/baileys/inbound/intake.ts#Intake`,
      `${SERVER}channels/baileys/inbound/translate.ts#inboundFrom`,
      `${SERVER}channels/inbound.ts#receiveInbound`,
      `${SERVER}features/messages/messages.live.ts#live`,
      `${WEB}messages/messages.live.ts#followMessages`,
    ],
  },
  {
    name: 'campaign',
    most: { files: 44, declarations: 258 },
    from: [
      `${SERVER}features/campaigns/run/run.worker.ts#sendDueCampaigns`,
      `${SERVER}features/campaigns/campaigns.live.ts#live`,
    ],
  },
  {
    name: 'accept',
    most: { files: 16, declarations: 102 },
    from: [
      `${WEB}tickets/ticket-actions.tsx#useTicketActions`,
      `${SERVER}features/tickets/tickets.routes.ts`,
      `${SERVER}features/tickets/moves/moves.actions.ts#accept`,
      `${SERVER}features/tickets/tickets.live.ts#live`,
      `${WEB}tickets/tickets.live.ts#followTickets`,
    ],
  },
]
