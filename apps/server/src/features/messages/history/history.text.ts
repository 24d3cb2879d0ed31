import { chatEventTexts } from '@balcao/contract/chatEvents.text.ts'
import type { Happening } from '@balcao/contract/kinds.ts'
import type { ExportLanguage, MessageSource } from '@balcao/contract/tickets.ts'

type Texts = readonly [pt: string, en: string, es: string]
const order: ExportLanguage[] = ['ptBR', 'en', 'es']

const head: Texts[] = [
  ['Data', 'Date', 'Fecha'],
  ['Autor', 'Author', 'Autor'],
  ['Mensagem', 'Message', 'Mensaje'],
  ['Contato', 'Contact', 'Contacto'],
  ['Número', 'Number', 'Número'],
  ['Protocolo', 'Protocol', 'Protocolo'],
  ['Fila', 'Queue', 'Cola'],
]

const kinds: Record<string, Texts> = {
  image: ['Foto', 'Photo', 'Foto'],
  video: ['Vídeo', 'Video', 'Video'],
  audio: ['Áudio', 'Audio', 'Audio'],
  document: ['Documento', 'Document', 'Documento'],
  sticker: ['Figurinha', 'Sticker', 'Sticker'],
  location: ['Localização', 'Location', 'Ubicación'],
  vcard: ['Contato', 'Contact', 'Contacto'],
  order: ['Pedido', 'Order', 'Pedido'],
  call_log: ['Chamada perdida', 'Missed call', 'Llamada perdida'],
  taken_call: ['Chamada', 'Call', 'Llamada'],
  poll: ['Enquete', 'Poll', 'Encuesta'],
  ciphertext: ['Aguardando a mensagem', 'Waiting for the message', 'Esperando el mensaje'],
  event: ['Evento', 'Event', 'Evento'],
  chat_event: ['Aviso da conversa', 'Chat notice', 'Aviso del chat'],
  viewOnceMessage: ['Visualização única', 'View once', 'Ver una vez'],
  productMessage: ['Produto', 'Product', 'Producto'],
  groupInviteMessage: ['Convite para grupo', 'Invitation to a group', 'Invitación a un grupo'],
  payment: ['Pagamento', 'Payment', 'Pago'],
  masked: [
    'Mensagem protegida, só no celular',
    'Protected message, on the phone only',
    'Mensaje protegido, solo en el teléfono',
  ],
  unknown: [
    'Mensagem que não é mostrada aqui',
    'Message that is not shown here',
    'Mensaje que no se muestra aquí',
  ],
}

const sources: Partial<Record<MessageSource, Texts>> = {
  phone: ['Celular', 'Phone', 'Celular'],
  greeting: ['Saudação', 'Greeting', 'Saludo'],
  bot: ['Robô', 'Bot', 'Bot'],
  campaign: ['Campanha', 'Campaign', 'Campaña'],
  api: ['API', 'API', 'API'],
  notice: ['Aviso de fatura', 'Invoice notice', 'Aviso de factura'],
}

/** Through what a customer came. */
const origins: Record<string, Texts> = {
  ad: ['Anúncio', 'Ad', 'Anuncio'],
  post: ['Publicação', 'Post', 'Publicación'],
  product: ['Produto', 'Product', 'Producto'],
}

const team: Texts = ['Equipe', 'Team', 'Equipo']
const deleted: Texts = ['Mensagem apagada', 'Deleted message', 'Mensaje eliminado']
const note: Texts = ['Nota interna', 'Internal note', 'Nota interna']
const name: Texts = ['conversas', 'conversations', 'conversaciones']

/** The texts of an export beside the messages, in a language. */
export function exportTexts(language: ExportLanguage) {
  const at = order.indexOf(language)
  return {
    head: head.map(column => column[at]!),
    name: name[at]!,
    deleted: deleted[at]!,
    note: note[at]!,
    bySource: (source: MessageSource) => (sources[source] ?? team)[at]!,
    ofSource: (type: string) => origins[type]?.[at] ?? type,
    ofKind: (kind: string) => kinds[kind]?.[at] ?? kind,
    ofEvent: (what: Happening, values: { name: string; people: string }) =>
      chatEventTexts[what][at]!.replace(/\{(name|people)\}/g, (_, value: 'name' | 'people') => values[value]),
  }
}
