import { texts } from '../../platform/text.ts'

/** Texts of the phone; its three states are quoted from the documents. */
export const usePhoneText = texts({
  phone: ['Simulador', 'Simulator', 'Simulador'],
  online: ['online', 'online', 'en línea'],
  Composing: ['digitando...', 'typing...', 'escribiendo...'],
  Recording: ['gravando audio...', 'recording audio...', 'grabando audio...'],
  play: ['Reproduzir', 'Play', 'Reproducir'],
  pause: ['Pausar', 'Pause', 'Pausar'],
  step: ['Próxima ação', 'Next action', 'Próxima acción'],
  again: ['Recomeçar', 'Start again', 'Empezar de nuevo'],
  speed: ['Velocidade', 'Speed', 'Velocidad'],
  progress: ['{done} de {count}', '{done} of {count}', '{done} de {count}'],
  empty: [
    'Adicione ações e reproduza o fluxo aqui.',
    'Add actions and play the flow here.',
    'Agregue acciones y reproduzca el flujo aquí.',
  ],
  customer: ['Ana Souza', 'Ana Souza', 'Ana Souza'],
})
