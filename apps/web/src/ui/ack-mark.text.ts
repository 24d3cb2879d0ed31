import { texts } from '../platform/text.ts'

/** Delivery states of a message. */
export const useAckText = texts({
  ack0: ['Não enviada', 'Not sent', 'No enviado'],
  leaving: ['Enviando', 'Sending', 'Enviando'],
  ack1: ['Na fila de envio', 'Waiting to be sent', 'En cola de envío'],
  ack2: ['Enviada', 'Sent', 'Enviado'],
  ack3: ['Entregue', 'Delivered', 'Entregado'],
  ack4: ['Lida', 'Read', 'Leído'],
  ack5: ['Ouvida', 'Played', 'Escuchado'],
})
