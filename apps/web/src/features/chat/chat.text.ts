import { texts } from '../../platform/text.ts'

export const useChatText = texts({
  chat: ['Conversas internas', 'Team chat', 'Chat interno'],
  rooms: ['Salas', 'Rooms', 'Salas'],
  colleagues: ['Conversar com…', 'Talk with…', 'Conversar con…'],
  groupName: ['Nome do grupo (opcional)', 'Name of the group (optional)', 'Nombre del grupo (opcional)'],
  open: ['Abrir', 'Open', 'Abrir'],
  search: ['Buscar nas conversas', 'Search the chats', 'Buscar en los chats'],
  select: ['Escolha uma sala ou um colega', 'Choose a room or a colleague', 'Elija una sala o un colega'],
  messages: ['Mensagens', 'Messages', 'Mensajes'],
  older: ['Mensagens anteriores', 'Earlier messages', 'Mensajes anteriores'],
  write: ['Escreva aos colegas', 'Write to your colleagues', 'Escriba a sus colegas'],
  send: ['Enviar', 'Send', 'Enviar'],
  attach: ['Anexar arquivos', 'Attach files', 'Adjuntar archivos'],
  takeBack: ['Apagar mensagem', 'Delete message', 'Eliminar mensaje'],
  deleted: ['Mensagem apagada', 'Message deleted', 'Mensaje eliminado'],
  edited: ['editada', 'edited', 'editado'],
  leave: ['Sair do grupo', 'Leave the group', 'Salir del grupo'],
  back: ['Voltar às salas', 'Back to the rooms', 'Volver a las salas'],
  ticket: ['Atendimento {id}', 'Ticket {id}', 'Atención {id}'],
  unread: ['{count} não lidas', '{count} unread', '{count} sin leer'],
})
