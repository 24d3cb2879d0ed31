import { texts } from '../../../platform/text.ts'

/** Of the recorder, which comes when it is used. */
export const useRecorderText = texts({
  pauseRecord: ['Pausar gravação', 'Pause recording', 'Pausar grabación'],
  goOnRecord: ['Continuar gravação', 'Go on recording', 'Continuar grabación'],
  listenRecord: ['Ouvir gravação', 'Play the recording', 'Escuchar grabación'],
  pauseListening: ['Parar de ouvir', 'Stop playing', 'Dejar de escuchar'],
  notPlayed: [
    'A gravação não pôde ser reproduzida',
    'The recording could not be played',
    'No se pudo reproducir la grabación',
  ],
  sendRecord: ['Enviar áudio', 'Send audio', 'Enviar audio'],
  recordingFor: ['Gravando', 'Recording', 'Grabando'],
  tooShort: [
    'Áudio muito curto, descartado',
    'The audio was too short and was discarded',
    'Audio demasiado corto, descartado',
  ],
  noMicrophone: [
    'Nenhum microfone foi encontrado',
    'No microphone was found',
    'No se encontró ningún micrófono',
  ],
  microphoneRefused: [
    'O navegador não permite usar o microfone. Libere-o nas permissões desta página.',
    'The browser does not allow the microphone. Allow it in this page’s permissions.',
    'El navegador no permite usar el micrófono. Permítalo en los permisos de esta página.',
  ],
  needsHttps: [
    'Gravar só é possível em um endereço https',
    'Recording is only possible on an https address',
    'Solo se puede grabar en una dirección https',
  ],
})
