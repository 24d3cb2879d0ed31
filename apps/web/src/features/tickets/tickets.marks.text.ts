import { texts } from '../../platform/text.ts'

/** Texts of what people put on tickets. */
export const useTicketMarkText = texts({
  snooze: ['Adiar…', 'Snooze…', 'Posponer…'],
  snoozeOf: [
    'Adiar o atendimento de {name}',
    'Snooze the ticket of {name}',
    'Posponer la atención de {name}',
  ],
  hint: [
    'Ele sai de todas as listas até esse momento, ou até o cliente escrever.',
    'It leaves all lists until that moment, or until the customer writes.',
    'Sale de todas las listas hasta ese momento, o hasta que el cliente escriba.',
  ],
  hintOfMany: [
    'Eles saem de todas as listas até esse momento, ou até o cliente escrever.',
    'They leave all lists until that moment, or until the customer writes.',
    'Salen de todas las listas hasta ese momento, o hasta que el cliente escriba.',
  ],
  hour: ['Em 1 hora', 'In 1 hour', 'En 1 hora'],
  afternoon: ['Hoje à tarde', 'This afternoon', 'Esta tarde'],
  evening: ['No fim do dia', 'At the end of the day', 'Al final del día'],
  tomorrow: ['Amanhã', 'Tomorrow', 'Mañana'],
  monday: ['Segunda-feira', 'Monday', 'Lunes'],
  another: ['Outro dia e hora', 'Another day and time', 'Otro día y hora'],
  apply: ['Adiar', 'Snooze', 'Posponer'],
  until: ['Adiado até {time}', 'Snoozed until {time}', 'Pospuesto hasta {time}'],
  didSnooze: [
    'Atendimento de {name} adiado até {time}',
    'Ticket of {name} snoozed until {time}',
    'Atención de {name} pospuesta hasta {time}',
  ],
  wake: ['Trazer de volta agora', 'Bring back now', 'Traer de vuelta ahora'],
  undo: ['Desfazer', 'Undo', 'Deshacer'],
  unread: ['Marcar como não lido', 'Mark as unread', 'Marcar como no leído'],
  read: ['Marcar como lido', 'Mark as read', 'Marcar como leído'],
  pin: ['Fixar no topo das minhas listas', 'Pin to the top of my lists', 'Fijar arriba en mis listas'],
  unpin: ['Desafixar', 'Unpin', 'Desfijar'],
  follow: ['Seguir', 'Follow', 'Seguir'],
  unfollow: ['Deixar de seguir', 'Stop following', 'Dejar de seguir'],
  pinned: ['Fixado por você', 'Pinned by you', 'Fijado por usted'],
  following: ['Você segue', 'You follow it', 'Usted la sigue'],
  resolve: ['Resolver', 'Resolve', 'Resolver'],
  back: [
    'O atendimento de {name} voltou do adiamento',
    'The ticket of {name} is back',
    'La atención de {name} volvió',
  ],
  wrote: [
    '{name} escreveu em um atendimento que você segue',
    '{name} wrote in a ticket that you follow',
    '{name} escribió en una atención que usted sigue',
  ],
  view: ['Ver', 'View', 'Ver'],
  rowMenu: ['Ações do atendimento', 'Actions of the ticket', 'Acciones de la atención'],
})
