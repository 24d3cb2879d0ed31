import { sheetColumns } from '@balcao/contract/campaignPeople.ts'
import type { CampaignDispatch } from '@balcao/contract/campaignShapes.ts'
import { addressOf, removeFiles } from '../../platform/files.served.ts'
import type { Files } from '../../platform/files.ts'
import type { Scope, Tx } from '../../platform/scope.ts'
import { type Cell, spreadsheet } from '../../platform/sheets.ts'
import { and, asc, eq, sql as tag } from '../../platform/sql.ts'
import { zoneOf } from '../companies/companies.queries.ts'
import { lookAt } from './campaigns.queries.ts'
import { campaignDispatches } from './campaigns.table.ts'

const AT_ONCE = 1_000
/** A file that was made to be fetched is kept for a day. */
const DAY_S = 86_400

type Language = 'ptBR' | 'en' | 'es'

const heads: Record<Language, string[]> = {
  ptBR: [
    'Nome',
    'Número',
    'Status',
    'Saudação',
    'Mensagem',
    'Enviada em',
    'Entregue',
    'Lida',
    'Respondeu em',
    'Pediu para sair',
    'Motivo',
  ],
  en: [
    'Name',
    'Number',
    'Status',
    'Greeting',
    'Message',
    'Sent at',
    'Delivered',
    'Read',
    'Answered at',
    'Opted out',
    'Reason',
  ],
  es: [
    'Nombre',
    'Número',
    'Estado',
    'Saludo',
    'Mensaje',
    'Enviado el',
    'Entregado',
    'Leído',
    'Respondió el',
    'Pidió salir',
    'Motivo',
  ],
}
const yes: Record<Language, string> = { ptBR: 'Sim', en: 'Yes', es: 'Sí' }

type Words = Record<Language, string>
const states: Record<CampaignDispatch['status'], Words> = {
  pending: { ptBR: 'Espera', en: 'Waiting', es: 'Espera' },
  sending: { ptBR: 'Enviando', en: 'Sending', es: 'Enviando' },
  sent: { ptBR: 'Enviada', en: 'Sent', es: 'Enviada' },
  sentFail: { ptBR: 'Falhou', en: 'Failed', es: 'Falló' },
}
/** Why most fail; whatever else is said as the network said it. */
const reasons: Partial<Record<string, Words>> = {
  ERR_OPTED_OUT: {
    ptBR: 'Pediu para não receber campanhas',
    en: 'Asked for no campaigns',
    es: 'Pidió no recibir campañas',
  },
  ERR_CAMPAIGN_VARIABLE: {
    ptBR: 'Falta um valor para uma variável do texto',
    en: 'A variable of the text has no value',
    es: 'Falta un valor para una variable del texto',
  },
  ERR_WAPP_INVALID_CONTACT: {
    ptBR: 'Este número não está no WhatsApp',
    en: 'This number is not on WhatsApp',
    es: 'Este número no está en WhatsApp',
  },
  ERR_WAPP_WINDOW_CLOSED: {
    ptBR: 'Fora da janela de 24 horas',
    en: 'Outside the window of 24 hours',
    es: 'Fuera de la ventana de 24 horas',
  },
  ERR_SENDING_WAPP_MSG: {
    ptBR: 'O WhatsApp recusou a mensagem',
    en: 'WhatsApp refused the message',
    es: 'WhatsApp rechazó el mensaje',
  },
  ERR_FETCH_WAPP_MSG: {
    ptBR: 'A mensagem foi apagada antes de sair',
    en: 'The message was deleted before it left',
    es: 'El mensaje se eliminó antes de salir',
  },
}

/** Everybody of a campaign and what became of them, as a spreadsheet. Answers where it is fetched. Refuses with ERR_NOT_FOUND. */
export async function exportCampaign(
  scope: Scope,
  files: Files,
  campaignId: number,
  language: Language,
): Promise<{ url: string }> {
  await scope.read(tx => lookAt(tx, campaignId))
  return keep(
    scope,
    files,
    heads[language],
    rowsOf(scope, campaignId, language),
    `campanha-${campaignId}.xlsx`,
  )
}

/** An empty spreadsheet with the columns that the documents name. */
export const exportSheetTemplate = (scope: Scope, files: Files): Promise<{ url: string }> =>
  keep(scope, files, [...sheetColumns], nobody(), 'modelo-campanha.xlsx')

async function* nobody(): AsyncGenerator<Cell[]> {}

async function keep(scope: Scope, files: Files, head: string[], rows: AsyncIterable<Cell[]>, name: string) {
  const { key } = await files.put(scope.companyId, spreadsheet(head, rows), { name, type: '' })
  const url = addressOf(key)
  await scope.transaction(tx => removeFiles(tx, [url], DAY_S))
  return { url }
}

async function* rowsOf(scope: Scope, campaignId: number, language: Language): AsyncGenerator<Cell[]> {
  const mark = (holds: boolean) => (holds ? yes[language] : '')
  for (let reached = { position: -1, id: 0 }; ; ) {
    const some = await scope.list(tx => rowsBehind(tx, campaignId, reached))
    if (some.length === 0) return
    reached = some.at(-1)!
    for (const one of some)
      yield [
        one.name,
        one.number,
        states[one.status][language],
        one.greeting,
        one.message,
        one.sentAt,
        mark(one.ack >= 3),
        mark(one.ack >= 4),
        one.answeredAt,
        mark(one.optedOut),
        reasons[one.reason]?.[language] ?? one.reason,
      ]
  }
}

/** Days since 1899-12-30 on the company's clock, as spreadsheets count them. */
const asDays = (tx: Tx, at: typeof campaignDispatches.messageSendAt | typeof campaignDispatches.answeredAt) =>
  tag<
    number | null
  >`(extract(epoch from (${at} at time zone ${zoneOf(tx)}) - timestamp '1899-12-30') / 86400)::float8`

const rowsBehind = (tx: Tx, campaignId: number, { position, id }: { position: number; id: number }) =>
  tx.sql
    .select({
      id: campaignDispatches.id,
      position: campaignDispatches.position,
      name: campaignDispatches.name,
      number: campaignDispatches.number,
      status: campaignDispatches.status,
      greeting: campaignDispatches.greeting,
      message: campaignDispatches.message,
      sentAt: asDays(tx, campaignDispatches.messageSendAt),
      answeredAt: asDays(tx, campaignDispatches.answeredAt),
      ack: campaignDispatches.ack,
      optedOut: campaignDispatches.optedOut,
      reason: campaignDispatches.reason,
    })
    .from(campaignDispatches)
    .where(
      and(
        eq(campaignDispatches.companyId, tx.companyId),
        eq(campaignDispatches.campaignId, campaignId),
        tag`(${campaignDispatches.position}, ${campaignDispatches.id}) > (${position}::int, ${id}::int)`,
      ),
    )
    .orderBy(asc(campaignDispatches.position), asc(campaignDispatches.id))
    .limit(AT_ONCE)
