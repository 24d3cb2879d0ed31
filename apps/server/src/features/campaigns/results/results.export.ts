import { sheetColumns } from '@balcao/contract/campaignPeople.ts'
import type { CampaignDispatch } from '@balcao/contract/campaignShapes.ts'
import type { Files } from '../../../platform/files/files.ts'
import { keepForDay } from '../../../platform/files/served.ts'
import { type Cell, spreadsheet } from '../../../platform/files/sheets.ts'
import type { Scope } from '../../../platform/scope.ts'
import { findCampaignRow } from '../campaigns.queries.ts'
import { dispatchesBehind } from './results.queries.ts'

const AT_ONCE = 1_000

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
    'Botão',
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
    'Button',
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
    'Botón',
    'Pidió salir',
    'Motivo',
  ],
}

const yes: Record<Language, string> = { ptBR: 'Sim', en: 'Yes', es: 'Sí' }

type Labels = Record<Language, string>

const states: Record<CampaignDispatch['status'], Labels> = {
  pending: { ptBR: 'Espera', en: 'Waiting', es: 'Espera' },
  sending: { ptBR: 'Enviando', en: 'Sending', es: 'Enviando' },
  sent: { ptBR: 'Enviada', en: 'Sent', es: 'Enviada' },
  sentFail: { ptBR: 'Falhou', en: 'Failed', es: 'Falló' },
}

/** Frequent reasons; any other is shown as the network sent it. */
const reasons: Partial<Record<string, Labels>> = {
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

/** All recipients with their results as a spreadsheet. Returns its address. Refuses with ERR_NOT_FOUND. */
export async function exportCampaign(
  scope: Scope,
  files: Files,
  campaignId: number,
  language: Language,
): Promise<{ url: string }> {
  await scope.read(tx => findCampaignRow(tx, campaignId))
  const content = spreadsheet(heads[language], rowsOf(scope, campaignId, language))
  return keepForDay(scope, files, { name: `campanha-${campaignId}.xlsx`, content })
}

/** An empty spreadsheet with the columns of the documents. */
export const exportSheetTemplate = (scope: Scope, files: Files): Promise<{ url: string }> =>
  keepForDay(scope, files, {
    name: 'modelo-campanha.xlsx',
    content: spreadsheet([...sheetColumns], noRows()),
  })

async function* noRows(): AsyncGenerator<Cell[]> {}

async function* rowsOf(scope: Scope, campaignId: number, language: Language): AsyncGenerator<Cell[]> {
  const mark = (holds: boolean) => (holds ? yes[language] : '')
  for (let reached = { position: -1, id: 0 }; ; ) {
    const some = await scope.list(tx => dispatchesBehind(tx, campaignId, reached, AT_ONCE))
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
        one.answerButton,
        mark(one.optedOut),
        reasons[one.reason]?.[language] ?? one.reason,
      ]
  }
}
