import { texts } from '../../../platform/text.ts'

export const usePinText = texts({
  pin: ['Fixar', 'Pin', 'Fijar'],
  pinFor: ['Fixar por quanto tempo?', 'Pin for how long?', '¿Fijar por cuánto tiempo?'],
  day: ['24 horas', '24 hours', '24 horas'],
  week: ['7 dias', '7 days', '7 días'],
  month: ['30 dias', '30 days', '30 días'],
  unpin: ['Desafixar', 'Unpin', 'Dejar de fijar'],
  notHere: [
    'A API oficial não fixa mensagens',
    'The official API pins no messages',
    'La API oficial no fija mensajes',
  ],
  pinned: ['Mensagem fixada', 'Pinned message', 'Mensaje fijado'],
  place: ['{count} de {name}', '{count} of {name}', '{count} de {name}'],
})
