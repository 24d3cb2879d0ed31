import { texts } from '../../platform/text.ts'

export const useMentionText = texts({
  none: ['Nenhuma menção', 'No mentions', 'Ninguna mención'],
  noneHint: [
    'Quando um colega escreve @ e o seu nome, ou o de uma fila sua, numa nota, ela aparece aqui.',
    'When a colleague writes @ and your name, or that of a queue of yours, in a note, it appears here.',
    'Cuando un colega escribe @ y su nombre, o el de una cola suya, en una nota, aparece aquí.',
  ],
  onlyUnread: ['Só não lidas', 'Only unread', 'Solo sin leer'],
  readAll: ['Marcar todas como lidas', 'Mark all as read', 'Marcar todas como leídas'],
  unread: ['Não lida', 'Unread', 'Sin leer'],
  more: ['Carregar mais', 'Load more', 'Cargar más'],
  in: ['em {contact}', 'in {contact}', 'en {contact}'],
  failed: ['Não foi possível carregar', 'It could not be loaded', 'No se pudo cargar'],
  again: ['Tentar de novo', 'Try again', 'Intentar de nuevo'],
})
