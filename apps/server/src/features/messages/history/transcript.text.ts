import type { ExportLanguage } from '@balcao/contract/tickets.ts'

type Texts = readonly [pt: string, en: string, es: string]
const order: ExportLanguage[] = ['ptBR', 'en', 'es']

const texts = {
  title: ['Conversa {protocol}', 'Conversation {protocol}', 'Conversación {protocol}'],
  contact: ['Contato', 'Contact', 'Contacto'],
  queue: ['Fila', 'Queue', 'Cola'],
  connection: ['Conexão', 'Connection', 'Conexión'],
  opened: ['Aberta em', 'Opened on', 'Abierta el'],
  participants: ['Participantes', 'Participants', 'Participantes'],
  files: ['Arquivos', 'Files', 'Archivos'],
  leftOut: [
    'As mensagens mais antigas não cabem neste documento.',
    'The oldest messages do not fit in this document.',
    'Los mensajes más antiguos no caben en este documento.',
  ],
  cut: [
    'O texto continua na conversa.',
    'The text goes on in the conversation.',
    'El texto continúa en la conversación.',
  ],
  page: ['Página {page}', 'Page {page}', 'Página {page}'],
  subject: [
    'Sua conversa com {company}',
    'Your conversation with {company}',
    'Su conversación con {company}',
  ],
  attached: [
    'A conversa {protocol} está anexada em PDF.',
    'The conversation {protocol} is attached as a PDF.',
    'La conversación {protocol} está adjunta en PDF.',
  ],
} as const satisfies Record<string, Texts>

const locales: Record<ExportLanguage, string> = { ptBR: 'pt-BR', en: 'en-GB', es: 'es' }

/** The texts of a conversation's PDF and its letter, in a language. */
export function transcriptTexts(language: ExportLanguage) {
  const at = order.indexOf(language)
  return {
    say: (name: keyof typeof texts, values: Record<string, string> = {}) =>
      texts[name][at]!.replace(/\{(\w+)\}/g, (_, value: string) => values[value] ?? ''),
    /** Days of the company's zone, as `exportedMessages` counts them. */
    day: new Intl.DateTimeFormat(locales[language], { dateStyle: 'full', timeZone: 'UTC' }),
    moment: new Intl.DateTimeFormat(locales[language], {
      dateStyle: 'short',
      timeStyle: 'short',
      timeZone: 'UTC',
    }),
  }
}
