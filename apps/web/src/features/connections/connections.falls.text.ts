import { texts } from '../../platform/text.ts'

/** Texts about lost and restricted connections. */
export const useFallText = texts({
  resting: ['Em repouso', 'Resting', 'En reposo'],
  restingHint: [
    'A empresa tem mais conexões do que o plano permite.',
    'The company has more connections than its plan allows.',
    'La empresa tiene más conexiones de las que permite el plan.',
  ],
  history: ['Histórico de quedas', 'History of falls', 'Historial de caídas'],
  historyOf: ['Quedas de {name}', 'Falls of {name}', 'Caídas de {name}'],
  none: ['Nenhuma queda', 'No falls', 'Ninguna caída'],
  noneHint: [
    'Quando a conexão cair, o motivo aparece aqui.',
    'When the connection falls, the reason appears here.',
    'Cuando la conexión caiga, el motivo aparece aquí.',
  ],
  failed: [
    'O histórico não pôde ser carregado. Feche e abra de novo',
    'The history could not be loaded. Close this and open it again',
    'No se pudo cargar el historial. Cierre y abra de nuevo',
  ],
  code: ['Código do WhatsApp: {code}', 'WhatsApp’s code: {code}', 'Código de WhatsApp: {code}'],
  backAt: ['Voltou em {at}', 'Back at {at}', 'Volvió el {at}'],
  endsAt: ['Até {at}', 'Until {at}', 'Hasta {at}'],
  lasts: ['Ainda não voltou', 'Not back yet', 'Todavía no volvió'],
  comesBackAt: ['Volta sozinha em {at}', 'Comes back by itself at {at}', 'Vuelve sola el {at}'],
  restrictedUntil: [
    'Sem novas conversas até {at}',
    'No new conversations until {at}',
    'Sin nuevas conversaciones hasta {at}',
  ],
  restrictedHint: [
    'O WhatsApp não deixa este número escrever primeiro a quem nunca escreveu para ele. Quem já escreveu é respondido; as outras mensagens e as campanhas esperam',
    'WhatsApp does not let this number write first to people who never wrote to it. People who wrote are answered; other messages and campaigns wait',
    'WhatsApp no deja que este número escriba primero a quien nunca le escribió. Quien ya escribió recibe respuesta; los demás mensajes y las campañas esperan',
  ],
  news: ['{name}: {what}', '{name}: {what}', '{name}: {what}'],
  ban101: [
    'Muitas mensagens a quem não tem este número nos contatos',
    'Too many messages to people who do not have this number in their contacts',
    'Demasiados mensajes a quien no tiene este número en sus contactos',
  ],
  ban102: [
    'Muitas pessoas bloquearam este número',
    'Too many people blocked this number',
    'Demasiadas personas bloquearon este número',
  ],
  ban103: [
    'Muitos grupos com quem não tem este número nos contatos',
    'Too many groups with people who do not have this number in their contacts',
    'Demasiados grupos con quien no tiene este número en sus contactos',
  ],
  ban104: [
    'A mesma mensagem foi enviada a muitas pessoas',
    'The same message was sent to too many people',
    'El mismo mensaje fue enviado a demasiadas personas',
  ],
  ban106: [
    'Muitas mensagens a uma lista de transmissão',
    'Too many messages to a broadcast list',
    'Demasiados mensajes a una lista de difusión',
  ],
  ERR_WAPP_LOGGED_OUT: ['Leia um novo QR Code', 'Scan a new QR code', 'Lea un nuevo código QR'],
  ERR_WAPP_BANNED: [
    'Abra o WhatsApp no celular e peça uma análise',
    'Open WhatsApp on the phone and ask for a review',
    'Abra WhatsApp en el celular y pida una revisión',
  ],
  ERR_WAPP_REPLACED: [
    'Feche lá e tente de novo',
    'Close it there and try again',
    'Ciérrelo allí e intente de nuevo',
  ],
  ERR_WAPP_TEMP_BANNED: [
    'A conexão volta sozinha. Até lá não tente de novo, e depois escreva menos a quem não conhece este número',
    'The connection comes back by itself. Do not try again before, and then write less to people who do not know this number',
    'La conexión vuelve sola. Hasta entonces no lo intente, y luego escriba menos a quien no conoce este número',
  ],
  ERR_WAPP_LOCKED: [
    'O WhatsApp saiu do celular, ou a conta está retida: abra o WhatsApp no celular, resolva o que ele pedir e leia um novo QR Code',
    'WhatsApp left the phone, or the account is locked: open WhatsApp on the phone, settle what it asks for and scan a new QR code',
    'WhatsApp salió del celular, o la cuenta está retenida: abra WhatsApp en el celular, resuelva lo que pida y lea un nuevo código QR',
  ],
  ERR_WAPP_OUTDATED: [
    'O sistema busca a versão e tenta de novo; se continuar, avise quem o opera',
    'The system asks for it and tries again; if this stays, tell its operator',
    'El sistema la busca e intenta de nuevo; si continúa, avise a quien lo opera',
  ],
  ERR_WAPP_REFUSED: [
    'Tente de novo; se continuar, leia um novo QR Code',
    'Try again; if this stays, scan a new QR code',
    'Intente de nuevo; si continúa, lea un nuevo código QR',
  ],
  ERR_WAPP_UNAVAILABLE: [
    'A conexão tenta de novo sozinha',
    'The connection tries again by itself',
    'La conexión lo intenta de nuevo sola',
  ],
  ERR_WAPP_CONNECTION_LOST: [
    'A conexão tenta de novo sozinha',
    'The connection tries again by itself',
    'La conexión lo intenta de nuevo sola',
  ],
})

const REMEDIES = [
  'ERR_WAPP_LOGGED_OUT',
  'ERR_WAPP_BANNED',
  'ERR_WAPP_REPLACED',
  'ERR_WAPP_TEMP_BANNED',
  'ERR_WAPP_LOCKED',
  'ERR_WAPP_OUTDATED',
  'ERR_WAPP_REFUSED',
  'ERR_WAPP_UNAVAILABLE',
  'ERR_WAPP_CONNECTION_LOST',
] as const

/** The reason with a text here that says what to do about it; undefined for others. */
export const remedyOf = (reason: string) => REMEDIES.find(one => one === reason)
