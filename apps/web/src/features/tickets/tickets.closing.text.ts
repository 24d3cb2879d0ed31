import { texts } from '../../platform/text.ts'

export const useClosingText = texts({
  title: ['Resolver atendimento de {name}', 'Resolve the ticket of {name}', 'Resolver la atención de {name}'],
  reason: ['Motivo do encerramento', 'Closing reason', 'Motivo del cierre'],
  optional: ['Opcional', 'Optional', 'Opcional'],
  note: ['Observação', 'Note', 'Observación'],
  none: [
    'Esta fila exige um motivo, mas não há nenhum para ela. Peça a um administrador.',
    'This queue requires a reason, but there is none for it. Ask an admin.',
    'Esta cola exige un motivo, pero no hay ninguno para ella. Pídalo a un administrador.',
  ],
  resolve: ['Resolver', 'Resolve', 'Resolver'],
})
