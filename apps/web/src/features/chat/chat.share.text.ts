import { texts } from '../../platform/text.ts'

/** Texts of sharing a ticket with colleagues, which happens outside of the screen of the chat. */
export const useShareText = texts({
  share: ['Compartilhar no chat interno', 'Share in the team chat', 'Compartir en el chat interno'],
  title: ['Compartilhar {contact}', 'Share {contact}', 'Compartir {contact}'],
  hint: [
    'Quem não pode ler o atendimento vê só o número dele.',
    'Who may not read the ticket sees only its number.',
    'Quien no puede leer la atención ve solo su número.',
  ],
  to: ['Sala ou colega', 'Room or colleague', 'Sala o colega'],
  rooms: ['Salas', 'Rooms', 'Salas'],
  colleagues: ['Colegas', 'Colleagues', 'Colegas'],
  words: ['Mensagem (opcional)', 'Message (optional)', 'Mensaje (opcional)'],
  send: ['Compartilhar', 'Share', 'Compartir'],
  done: ['Compartilhado em {room}', 'Shared in {room}', 'Compartido en {room}'],
  view: ['Ver', 'View', 'Ver'],
})
