import { texts } from '../../platform/text.ts'

export const useQueueText = texts({
  add: ['Adicionar fila', 'Add queue', 'Agregar cola'],
  edit: ['Editar fila', 'Edit queue', 'Editar cola'],
  name: ['Nome', 'Name', 'Nombre'],
  color: ['Cor', 'Colour', 'Color'],
  greeting: ['Mensagem de saudação', 'Greeting message', 'Mensaje de saludo'],
  greetingHint: [
    'Enviada a quem escolhe esta fila.',
    'Sent to whoever chooses this queue.',
    'Se envía a quien elige esta cola.',
  ],
  outOfHours: ['Mensagem fora do horário', 'Message outside the hours', 'Mensaje fuera de horario'],
  outOfHoursHint: [
    'Enviada, no lugar da mensagem da conexão, a quem escreve fora do horário e ainda não é atendido.',
    'Sent, instead of the connection’s, to who writes outside the hours and is not attended yet.',
    'Se envía, en lugar del de la conexión, a quien escribe fuera de horario y todavía no es atendido.',
  ],
  ownHoursHint: [
    'Vale nesta fila em vez do expediente da conexão ou da empresa, para a mensagem fora do horário, a distribuição e os prazos.',
    'Counts in this queue instead of the hours of the connection or the company: for the message outside the hours, assignment and targets.',
    'Vale en esta cola en vez del horario de la conexión o de la empresa: para el mensaje fuera de horario, la asignación y los plazos.',
  ],
  targetsOf: ['Prazos de {name}', 'Targets of {name}', 'Plazos de {name}'],
  preview: ['Como a fila aparece', 'How the queue is shown', 'Cómo se muestra la cola'],
  unnamed: ['Fila', 'Queue', 'Cola'],
  removeTitle: ['Excluir a fila {name}?', 'Delete the queue {name}?', '¿Eliminar la cola {name}?'],
  removeHint: [
    'Os atendimentos desta fila ficam sem fila; usuários e conexões deixam de tê-la.',
    'The tickets of this queue stay without a queue; users and connections lose it.',
    'Las atenciones de esta cola quedan sin cola; usuarios y conexiones dejan de tenerla.',
  ],
  assignment: ['Distribuição de {name}', 'Assignment of {name}', 'Distribución de {name}'],
  none: ['Ainda não há filas', 'No queues yet', 'Todavía no hay colas'],
  noneHint: [
    'Adicione os setores em que a equipe atende.',
    'Add the departments in which the team attends.',
    'Agregue los sectores en los que atiende el equipo.',
  ],
})
