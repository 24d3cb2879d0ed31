import { texts } from '../../platform/text.ts'

/** Texts of the list of flows beside the composer, and of playing one. */
export const usePlayText = texts({
  flows: ['Fluxos', 'Flows', 'Flujos'],
  start: ['iniciar', 'start', 'iniciar'],
  found_one: ['{count} fluxo', '{count} flow', '{count} flujo'],
  found: ['{count} fluxos', '{count} flows', '{count} flujos'],
  foundMore: ['Mais de {count} fluxos', 'More than {count} flows', 'Más de {count} flujos'],
  running: [
    'Fluxo {name} em andamento até {time}',
    'Flow {name} is running until {time}',
    'Flujo {name} en curso hasta {time}',
  ],
  by: ['iniciado por {name}', 'begun by {name}', 'iniciado por {name}'],
  byBot: ['iniciado pelo robô', 'begun by the bot', 'iniciado por el bot'],
  stop: ['Parar fluxo', 'Stop flow', 'Detener flujo'],
  stopped: ['Fluxo parado', 'Flow stopped', 'Flujo detenido'],
  Composing: ['digitando por {count} s', 'typing for {count} s', 'escribiendo por {count} s'],
  Recording: ['gravando áudio por {count} s', 'recording for {count} s', 'grabando audio por {count} s'],
  Delay: ['espera de {count} s', 'a wait of {count} s', 'espera de {count} s'],
})
