import { texts } from '../../platform/text.ts'

/** Texts of what the official API does not bring. */
export const useNotBroughtText = texts({
  notBrought: [
    'A API oficial não entrega este tipo de mensagem: {kind}. Peça ao cliente para enviar de outra forma.',
    'The official API does not deliver this kind of message: {kind}. Ask the customer to send it differently.',
    'La API oficial no entrega este tipo de mensaje: {kind}. Pida al cliente que lo envíe de otra forma.',
  ],
  notYet: [
    'O WhatsApp ainda não liberou esta mensagem para a API oficial. Peça ao cliente para enviar de novo.',
    'WhatsApp has not made this message available to the official API yet. Ask the customer to send it again.',
    'WhatsApp aún no liberó este mensaje para la API oficial. Pida al cliente que lo envíe de nuevo.',
  ],
  notFetched: [
    'A Meta não conseguiu buscar o arquivo do cliente. Peça para enviar de novo.',
    'Meta could not fetch the customer’s file. Ask for it again.',
    'Meta no pudo obtener el archivo del cliente. Pida que lo envíe de nuevo.',
  ],
  newerKind: [
    'Mensagem de um tipo que ainda não é mostrado aqui: veja no celular da empresa',
    'A message of a kind that is not shown here yet: see the company’s phone',
    'Mensaje de un tipo que aún no se muestra aquí: véalo en el teléfono de la empresa',
  ],
  maskedOnPhone: [
    'Por segurança, o WhatsApp mostra esta mensagem só no celular da empresa',
    'For security, WhatsApp shows this message on the company’s phone only',
    'Por seguridad, WhatsApp muestra este mensaje solo en el teléfono de la empresa',
  ],
  unknownKind: ['desconhecido', 'unknown', 'desconocido'],
  poll_creation: ['enquete', 'poll', 'encuesta'],
  poll_update: ['voto em enquete', 'vote in a poll', 'voto en encuesta'],
  gif: ['GIF', 'GIF', 'GIF'],
  group_invite: ['convite para grupo', 'invitation to a group', 'invitación a un grupo'],
  pin: ['mensagem fixada', 'pinned message', 'mensaje fijado'],
  keep_in_chat: ['mensagem mantida na conversa', 'message kept in the chat', 'mensaje conservado'],
  link_preview: ['prévia de link', 'link preview', 'vista previa de enlace'],
  list: ['lista', 'list', 'lista'],
  interactive: ['mensagem interativa', 'interactive message', 'mensaje interactivo'],
  order: ['pedido', 'order', 'pedido'],
  hsm: ['modelo', 'template', 'plantilla'],
  location: ['localização', 'location', 'ubicación'],
  reaction: ['reação', 'reaction', 'reacción'],
  media_placeholder: ['arquivo', 'file', 'archivo'],
  product: ['produto', 'product', 'producto'],
  image: ['imagem', 'picture', 'imagen'],
})
