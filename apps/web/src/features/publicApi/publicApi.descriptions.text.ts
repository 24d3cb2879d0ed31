import { texts } from '../../platform/text.ts'

/** By method and path, by the status of an answer, by the event of a webhook. */
const descriptions = {
  'POST /api/messages/send': [
    'Envia um texto, ou arquivos que são carregados como medias ou indicados por seus endereços. A mesma Idempotency-Key em 24 horas é a mesma mensagem.',
    'Sends a text, or files that are uploaded as medias or named by their addresses. The same Idempotency-Key within 24 hours is the same message.',
    'Envía un texto, o archivos que se suben como medias o se indican por sus direcciones. La misma Idempotency-Key en 24 horas es el mismo mensaje.',
  ],
  'POST /api/messages/send/text': [
    'Envia um texto. A mesma Idempotency-Key em 24 horas é a mesma mensagem.',
    'Sends a text. The same Idempotency-Key within 24 hours is the same message.',
    'Envía un texto. La misma Idempotency-Key en 24 horas es el mismo mensaje.',
  ],
  'POST /api/messages/send/media': [
    'Envia arquivos, carregados como medias ou indicados por seus endereços. A mesma Idempotency-Key em 24 horas é a mesma mensagem.',
    'Sends files, uploaded as medias or named by their addresses. The same Idempotency-Key within 24 hours is the same message.',
    'Envía archivos, subidos como medias o indicados por sus direcciones. La misma Idempotency-Key en 24 horas es el mismo mensaje.',
  ],
  'GET /api/messages/{messageId}': [
    'Até onde chegou uma mensagem deste token.',
    'How far a message of this token got.',
    'Hasta dónde llegó un mensaje de este token.',
  ],
  number: [
    'Com o código do país, ou um número do país da empresa. É preciso um dos dois nomes do número, ou ticketId, ou contactId.',
    'With its country code, or a number of the company’s country. One of the two names has to be given, or ticketId, or contactId.',
    'Con el código del país, o un número del país de la empresa. Hace falta uno de los dos nombres del número, o ticketId, o contactId.',
  ],
  country: [
    'O país do número, como BR, quando ele vem sem o código do país e poderia ser de dois.',
    'The country of the number, such as BR, where it is written without a country code and could be one of two.',
    'El país del número, como BR, cuando viene sin el código del país y podría ser de dos.',
  ],
  ticketId: [
    'No lugar de um número: um atendimento na conexão do token, como os webhooks o indicam. Ele fica como está.',
    'Instead of a number: a ticket on the connection of the token, as webhooks name it. It stays as it is.',
    'En lugar de un número: una atención en la conexión del token, como los webhooks la indican. Queda como está.',
  ],
  contactId: [
    'No lugar de um número: um contato, como os webhooks o indicam, também um cujo número não se conhece.',
    'Instead of a number: a contact, as webhooks name it, also one whose number is not known.',
    'En lugar de un número: un contacto, como los webhooks lo indican, también uno cuyo número no se conoce.',
  ],
  'POST /users': ['Cria um usuário.', 'Creates a user.', 'Crea un usuario.'],
  200: ['Feito', 'Done', 'Hecho'],
  400: [
    'O que foi enviado está errado: `field` diz em qual campo.',
    'What was sent is wrong: `field` names the input at fault.',
    'Lo que se envió está mal: `field` dice en qué campo.',
  ],
  401: [
    'O token falta, é desconhecido ou foi revogado.',
    'The token is missing, unknown or revoked.',
    'El token falta, es desconocido o fue revocado.',
  ],
  402: [
    'O plano da empresa não inclui a API, ou a empresa está suspensa.',
    'The company’s plan is without the API, or the company is suspended.',
    'El plan de la empresa no incluye la API, o la empresa está suspendida.',
  ],
  404: [
    'A conexão do token foi removida, ou não tem esse atendimento, contato ou mensagem.',
    'The token’s connection was removed, or it has no such ticket, contact or message.',
    'La conexión del token fue eliminada, o no tiene esa atención, contacto o mensaje.',
  ],
  409: [
    'A Idempotency-Key já foi usada com outro conteúdo, ou a conexão não pode enviar agora.',
    'The Idempotency-Key was used with other content, or the connection cannot send now.',
    'La Idempotency-Key ya se usó con otro contenido, o la conexión no puede enviar ahora.',
  ],
  413: ['Um arquivo é grande demais.', 'A file is too large.', 'Un archivo es demasiado grande.'],
  415: [
    'Um arquivo é de um tipo que o WhatsApp não aceita.',
    'A file is of a kind that WhatsApp does not take.',
    'Un archivo es de un tipo que WhatsApp no acepta.',
  ],
  429: [
    'Chamadas demais: `Retry-After` diz depois de quantos segundos voltar.',
    'Too many calls: `Retry-After` says after how many seconds to come again.',
    'Demasiadas llamadas: `Retry-After` dice después de cuántos segundos volver.',
  ],
  500: [
    'Falhou por culpa nossa: com o `requestId` se encontra no registro.',
    'It failed by our fault: `requestId` finds it in the log.',
    'Falló por culpa nuestra: con el `requestId` se encuentra en el registro.',
  ],
  'message.received': ['Um cliente escreveu.', 'A customer wrote.', 'Un cliente escribió.'],
  'message.status': [
    'Uma mensagem da empresa foi enviada, entregue, lida ou apagada, ou falhou.',
    'A message of the company was sent, delivered, read or deleted, or failed.',
    'Un mensaje de la empresa fue enviado, entregado, leído o borrado, o falló.',
  ],
  'ticket.changed': [
    'Um atendimento foi aberto, movido, etiquetado ou encerrado.',
    'A ticket was opened, moved, tagged or closed.',
    'Una atención fue abierta, movida, etiquetada o cerrada.',
  ],
  'survey.answered': [
    'Um cliente deu uma nota depois de um encerramento, ou a comentou.',
    'A customer gave a score after a closing, or commented on it.',
    'Un cliente dio una nota después de un cierre, o la comentó.',
  ],
  ping: [
    'Um teste que um administrador pediu.',
    'A test that an admin asked for.',
    'Una prueba que pidió un administrador.',
  ],
} as const

export const useDescriptionText = texts(descriptions)

export const isDescribed = (of: string): of is Parameters<typeof useDescriptionText.read>[0] =>
  of in descriptions
