import { texts } from '../../platform/text.ts'

export const useAssignmentText = texts({
  title: [
    'Quem atende o próximo de {name}',
    'Who gets the next of {name}',
    'Quién atiende al próximo de {name}',
  ],
  mode: ['Distribuição', 'Assignment', 'Distribución'],
  manual: ['Manual: os atendentes aceitam', 'By hand: attendants accept', 'Manual: los agentes aceptan'],
  rotation: ['Em rodízio', 'In turn', 'Por turnos'],
  least: ['A quem tem menos abertos', 'To who has the fewest open', 'A quien tiene menos abiertas'],
  capacity: ['Máximo de abertos por atendente', 'Most open per attendant', 'Máximo de abiertas por agente'],
  capacityHint: [
    'Vazio: sem limite. Quem está cheio recebe quando resolver um.',
    'Empty: no limit. Who is full gets one after resolving one.',
    'Vacío: sin límite. Quien está lleno recibe al resolver una.',
  ],
  ownerFirst: [
    'Primeiro para quem tem o contato na carteira',
    'First to who has the contact as customer',
    'Primero para quien tiene el contacto en su cartera',
  ],
  stickyDays: [
    'Volta a quem atendeu nos últimos dias',
    'Back to who attended in the last days',
    'Vuelve a quien atendió en los últimos días',
  ],
  stickyHint: ['Vazio: não volta.', 'Empty: not.', 'Vacío: no vuelve.'],
  onlyWithinHours: [
    'Só no horário da fila',
    'Only within the hours of the queue',
    'Solo en el horario de la cola',
  ],
  returnAfterMinutes: [
    'Minutos de ausência até devolver o que espera',
    'Minutes of absence until what waits returns',
    'Minutos de ausencia hasta devolver lo que espera',
  ],
  returnHint: [
    'Vazio: nunca. O cliente sem resposta de quem saiu volta à fila.',
    'Empty: never. A customer whom an absent attendant does not answer returns to the queue.',
    'Vacío: nunca. El cliente sin respuesta de quien salió vuelve a la cola.',
  ],
  nobodyAvailable: [
    'Espera: nenhum atendente disponível',
    'Waits: no attendant is available',
    'Espera: ningún agente disponible',
  ],
  allFull: [
    'Espera: todos os atendentes no limite',
    'Waits: all attendants are at their limit',
    'Espera: todos los agentes en su límite',
  ],
  outsideHours: ['Espera: fora do horário', 'Waits: outside the hours', 'Espera: fuera de horario'],
})
