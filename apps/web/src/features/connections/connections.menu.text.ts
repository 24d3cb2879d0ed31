import { texts } from '../../platform/text.ts'

/** Menu texts: part of the entry script; the screen's own texts load with the screen. */
export const useConnectionMenuText = texts({
  connections: ['Conexões', 'Connections', 'Conexiones'],
  attention: [
    'Alguma conexão precisa de atenção',
    'A connection needs attention',
    'Alguna conexión necesita atención',
  ],
})
