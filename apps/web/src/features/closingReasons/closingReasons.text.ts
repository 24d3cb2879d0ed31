import { texts } from '../../platform/text.ts'

export const useClosingReasonText = texts({
  add: ['Adicionar motivo de encerramento', 'Add closing reason', 'Agregar motivo de cierre'],
  edit: ['Editar motivo de encerramento', 'Edit closing reason', 'Editar motivo de cierre'],
  removeTitle: ['Excluir {name}?', 'Delete {name}?', '¿Eliminar {name}?'],
  removeHint: [
    'Os atendimentos que ele encerrou e os relatórios guardam o nome.',
    'The tickets that it closed, and reports, keep its name.',
    'Las atenciones que cerró y los informes guardan el nombre.',
  ],
  none: [
    'Ainda não há motivos de encerramento',
    'No closing reasons yet',
    'Todavía no hay motivos de cierre',
  ],
  noneHint: [
    'Com motivos, quem resolve um atendimento diz por quê; os relatórios contam.',
    'With reasons, who resolves a ticket says why; reports count them.',
    'Con motivos, quien resuelve una atención dice por qué; los informes los cuentan.',
  ],
  name: ['Nome', 'Name', 'Nombre'],
  queues: ['Filas', 'Queues', 'Colas'],
  queuesHint: [
    'Sem nenhuma, vale para todos os atendimentos.',
    'Without any it is for all tickets.',
    'Sin ninguna, vale para todas las atenciones.',
  ],
  allQueues: ['Todas', 'All', 'Todas'],
  spam: ['Sem atendimento (spam)', 'No attendance (spam)', 'Sin atención (spam)'],
  spamHint: [
    'Encerra sem despedida e sem pesquisa.',
    'Closes without a farewell and without a survey.',
    'Cierra sin despedida y sin encuesta.',
  ],
  active: ['Ativo', 'Active', 'Activo'],
  yes: ['Sim', 'Yes', 'Sí'],
  no: ['Não', 'No', 'No'],
})
