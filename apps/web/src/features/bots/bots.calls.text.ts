import { texts } from '../../platform/text.ts'

export const useBotCallText = texts({
  webhooks: ['Webhooks', 'Webhooks', 'Webhooks'],
  webhooksOf: ['Webhooks de {name}', 'Webhooks of {name}', 'Webhooks de {name}'],
  hint: [
    'Cada chamada é assinada (Standard Webhooks) e repetida por um dia e meio até receber uma resposta 2xx.',
    'Each call is signed (Standard Webhooks) and repeated for a day and a half until it is answered 2xx.',
    'Cada llamada se firma (Standard Webhooks) y se repite durante un día y medio hasta recibir una respuesta 2xx.',
  ],
  command: ['Comando', 'Command', 'Comando'],
  address: ['Endereço', 'Address', 'Dirección'],
  again: ['Enviar de novo', 'Send again', 'Enviar de nuevo'],
  againOf: [
    'Enviar de novo: comando {number}, {at}',
    'Send again: command {number}, {at}',
    'Enviar de nuevo: comando {number}, {at}',
  ],
  none: ['Nenhuma chamada ainda', 'No calls yet', 'Ninguna llamada todavía'],
  noneHint: [
    'Um comando com webhook avisa outro sistema quando um cliente chega a ele.',
    'A command with a webhook tells another system when a customer arrives at it.',
    'Un comando con webhook avisa a otro sistema cuando un cliente llega a él.',
  ],
})
