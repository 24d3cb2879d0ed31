import { texts } from '../../../platform/text.ts'

/** Texts of the bubbles, and of what happened between them. */
export const useThreadText = texts({
  select: ['Selecionar: {text}', 'Select: {text}', 'Seleccionar: {text}'],
  opened: ['iniciou o atendimento', 'started the ticket', 'inició la atención'],
  accepted: ['aceitou o atendimento', 'accepted the ticket', 'aceptó la atención'],
  returned: ['devolveu para a espera', 'returned it to those who wait', 'lo devolvió a la espera'],
  transferred: ['transferiu para {to}', 'transferred to {to}', 'transfirió a {to}'],
  transferredNowhere: ['transferiu o atendimento', 'transferred the ticket', 'transfirió la atención'],
  resolved: ['resolveu o atendimento', 'resolved the ticket', 'resolvió la atención'],
  reopened: ['reabriu o atendimento', 'reopened the ticket', 'reabrió la atención'],
  moved: ['moveu o atendimento', 'moved the ticket', 'movió la atención'],
  undone: ['desfez o último passo', 'undid the last step', 'deshizo el último paso'],
  botLeft: [
    'parou o bot e deixou a conversa para a equipe',
    'stopped the bot and left the conversation to the team',
    'detuvo el bot y dejó la conversación al equipo',
  ],
  botGuarded: [
    'parou o bot: do outro lado parece responder uma máquina',
    'stopped the bot: a machine seems to answer on the other side',
    'detuvo el bot: del otro lado parece responder una máquina',
  ],
  botReturned: [
    'devolveu a conversa ao bot',
    'gave the conversation back to the bot',
    'devolvió la conversación al bot',
  ],
  someoneGone: ['Usuário excluído', 'A deleted user', 'Usuario eliminado'],
  itself: ['O sistema', 'The system', 'El sistema'],
  unread_one: ['{count} mensagem nova', '{count} new message', '{count} mensaje nuevo'],
  unread: ['{count} mensagens novas', '{count} new messages', '{count} mensajes nuevos'],
  unreadMore: [
    'Mais de {count} mensagens novas',
    'More than {count} new messages',
    'Más de {count} mensajes nuevos',
  ],
  toEnd: ['Ir para a mais nova', 'Go to the newest', 'Ir al más nuevo'],
  forwarded: ['Encaminhada', 'Forwarded', 'Reenviado'],
  unshown: [
    'Esta mensagem não pôde ser mostrada',
    'This message could not be shown',
    'No se pudo mostrar este mensaje',
  ],
  edited: ['editada', 'edited', 'editado'],
  sent: ['{percent} % enviado', '{percent} % sent', '{percent} % enviado'],
  cancelUpload: ['Cancelar envio de {name}', 'Cancel sending {name}', 'Cancelar envío de {name}'],
  reactions: ['Reações: {list}', 'Reactions: {list}', 'Reacciones: {list}'],
  deleted: ['Mensagem apagada', 'Message deleted', 'Mensaje borrado'],
  you: ['Você', 'You', 'Usted'],
  team: ['Equipe', 'Team', 'Equipo'],
})
