import { texts } from '../../platform/text.ts'

/** Whose quick answers are, and what is wrong with a shortcut. */
export const useOwnerText = texts({
  owner: ['Para quem', 'For whom', 'Para quién'],
  company: ['Toda a empresa', 'The whole company', 'Toda la empresa'],
  own: ['Só eu', 'Only me', 'Solo yo'],
  queue: ['Fila {name}', 'Queue {name}', 'Cola {name}'],
  queuesFailed: [
    'Não foi possível carregar as filas.',
    'The queues could not be loaded.',
    'No se pudieron cargar las colas.',
  ],
  keptByRight: [
    'Para mudar, peça a um administrador.',
    'To change this, ask an administrator.',
    'Para cambiarlo, pida a un administrador.',
  ],
  noSpaces: ['Sem espaços', 'Without spaces', 'Sin espacios'],
  taken: [
    'Este atalho já é de: {message}',
    'This shortcut is that of: {message}',
    'Este atajo ya es de: {message}',
  ],
})
