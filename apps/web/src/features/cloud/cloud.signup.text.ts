import { texts } from '../../platform/text.ts'

export const useSignUpText = texts({
  intro: [
    'Entre com a conta da sua empresa na Meta: o número é conectado sem copiar nenhum dado.',
    'Log in with your company’s account at Meta: the number is connected without copying any data.',
    'Entre con la cuenta de su empresa en Meta: el número se conecta sin copiar ningún dato.',
  ],
  isOnApp: [
    'Este número já é usado no app WhatsApp Business do celular, e continua lá',
    'This number is used in the WhatsApp Business app of a phone, and stays there',
    'Este número ya se usa en la app WhatsApp Business del teléfono, y sigue allí',
  ],
  imports: [
    'Importar as conversas dos últimos 180 dias, como resolvidas',
    'Import the conversations of the last 180 days, as resolved',
    'Importar las conversaciones de los últimos 180 días, como resueltas',
  ],
  pin: [
    'PIN da verificação em duas etapas',
    'PIN of the two-step verification',
    'PIN de la verificación en dos pasos',
  ],
  pinHint: [
    'Seis dígitos: o PIN que o número já tem, ou um novo. Guarde-o.',
    'Six digits: the PIN that the number has, or a new one. Keep it.',
    'Seis dígitos: el PIN que el número ya tiene, o uno nuevo. Guárdelo.',
  ],
  begin: ['Conectar com a Meta', 'Connect with Meta', 'Conectar con Meta'],
  byHand: [
    'Ou preencha os dados do seu próprio app da Meta:',
    'Or fill in the data of an app of your own at Meta:',
    'O complete los datos de su propia app de Meta:',
  ],
  connecting: ['Conectando o número…', 'Connecting the number…', 'Conectando el número…'],
  left: [
    'O cadastro na Meta não chegou ao fim. Comece de novo',
    'The sign-up at Meta did not reach its end. Begin again',
    'El registro en Meta no llegó al final. Empiece de nuevo',
  ],
})
