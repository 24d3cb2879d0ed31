import { texts } from '../../platform/text.ts'

export const useClosingText = texts({
  title: ['Resolver atendimento de {name}', 'Resolve the ticket of {name}', 'Resolver la atención de {name}'],
  reason: ['Motivo do encerramento', 'Closing reason', 'Motivo del cierre'],
  optional: ['Opcional', 'Optional', 'Opcional'],
  note: ['Observação', 'Note', 'Observación'],
  none: [
    'É preciso um motivo, mas não há nenhum que sirva. Peça a um administrador.',
    'A reason is required, but there is none that fits. Ask an admin.',
    'Hace falta un motivo, pero no hay ninguno que sirva. Pídalo a un administrador.',
  ],
  resolve: ['Resolver', 'Resolve', 'Resolver'],
})
