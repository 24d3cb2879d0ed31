import type { Happening } from './kinds.ts'

/** What happened in a chat, behind the name of who did it: in Portuguese, English and Spanish. `{name}` is the body of the line. */
export const chatEventTexts = {
  subject: [
    'mudou o nome do grupo para “{name}”',
    'changed the group’s name to “{name}”',
    'cambió el nombre del grupo a «{name}»',
  ],
  description: [
    'mudou a descrição do grupo: {name}',
    'changed the group’s description: {name}',
    'cambió la descripción del grupo: {name}',
  ],
  created: ['criou o grupo “{name}”', 'created the group “{name}”', 'creó el grupo «{name}»'],
  added: ['adicionou {people}', 'added {people}', 'añadió a {people}'],
  joined: ['entrou no grupo', 'joined the group', 'se unió al grupo'],
  removed: ['removeu {people}', 'removed {people}', 'eliminó a {people}'],
  left: ['saiu do grupo', 'left the group', 'salió del grupo'],
  promoted: ['tornou {people} admin', 'made {people} an admin', 'nombró admin a {people}'],
  demoted: [
    'retirou {people} dos admins',
    'removed {people} from the admins',
    'quitó a {people} de los admins',
  ],
  adminsOnly: [
    'permitiu que só admins escrevam',
    'lets only admins write',
    'permitió que solo los admins escriban',
  ],
  everyone: ['permitiu que todos escrevam', 'lets everyone write', 'permitió que todos escriban'],
  editedByAdmins: [
    'permitiu que só admins mudem os dados do grupo',
    'lets only admins change the group’s data',
    'permitió que solo los admins cambien los datos del grupo',
  ],
  editedByEveryone: [
    'permitiu que todos mudem os dados do grupo',
    'lets everyone change the group’s data',
    'permitió que todos cambien los datos del grupo',
  ],
  pinned: ['fixou uma mensagem', 'pinned a message', 'fijó un mensaje'],
  unpinned: ['desafixou uma mensagem', 'unpinned a message', 'dejó de fijar un mensaje'],
  inviteLink: [
    'trocou o link de convite do grupo',
    'reset the group’s invite link',
    'restableció el enlace de invitación del grupo',
  ],
  numberChanged: ['mudou de número', 'changed the number', 'cambió de número'],
  approvalOn: [
    'passou a exigir aprovação de admins para entrar',
    'requires admins to approve who joins',
    'exige que los admins aprueben quién se une',
  ],
  approvalOff: [
    'deixou de exigir aprovação para entrar',
    'lets people join without approval',
    'permite unirse sin aprobación',
  ],
  asksToJoin: [
    'pedido para entrar: {people}',
    'request to join: {people}',
    'solicitud para unirse: {people}',
  ],
  joinEnded: [
    'pedido para entrar encerrado: {people}',
    'request to join ended: {people}',
    'solicitud para unirse terminada: {people}',
  ],
  timerOn: [
    'ativou mensagens temporárias: {name}',
    'turned on disappearing messages: {name}',
    'activó los mensajes temporales: {name}',
  ],
  timerOff: [
    'desativou as mensagens temporárias',
    'turned off disappearing messages',
    'desactivó los mensajes temporales',
  ],
  changed: [
    'editou uma mensagem. O novo texto não chega pela API oficial',
    'edited a message. The official API does not bring the new text',
    'editó un mensaje. La API oficial no entrega el texto nuevo',
  ],
  voted: ['votou em uma enquete', 'voted in a poll', 'votó en una encuesta'],
  reacted: ['reagiu a uma mensagem', 'reacted to a message', 'reaccionó a un mensaje'],
  kept: ['manteve uma mensagem na conversa', 'kept a message in the chat', 'conservó un mensaje en el chat'],
  withdrew: ['apagou uma mensagem', 'deleted a message', 'borró un mensaje'],
  undelivered: [
    'editou, apagou ou enviou algo que a API oficial não entrega',
    'edited, deleted or sent something that the official API does not bring',
    'editó, borró o envió algo que la API oficial no entrega',
  ],
} as const satisfies Record<Happening, readonly [pt: string, en: string, es: string]>
