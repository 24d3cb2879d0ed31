import { texts } from '../../platform/text.ts'

/** What the menu says. It stands in the entry script, the screen's own texts come with the screen. */
export const useConnectionMenuText = texts({
  connections: ['Conexões', 'Connections', 'Conexiones'],
  attention: [
    'Alguma conexão precisa de atenção',
    'A connection needs attention',
    'Alguna conexión necesita atención',
  ],
})
