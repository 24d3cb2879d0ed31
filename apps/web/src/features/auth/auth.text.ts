import { texts } from '../../platform/text.ts'

export const useAuthText = texts({
  headline: [
    'Todo cliente é\u00a0chamado pela vez.',
    'Every customer is called in turn.',
    'Cada cliente es llamado en su turno.',
  ],
  promise: [
    'O WhatsApp da empresa inteira numa fila só, atendido em equipe.',
    'The whole company’s WhatsApp in one queue, answered as a team.',
    'El WhatsApp de toda la empresa en una sola cola, atendido en equipo.',
  ],
  enter: ['Entre para atender', 'Sign in to attend', 'Entre para atender'],
  enterHint: [
    'Use o e-mail cadastrado pela sua empresa.',
    'Use the e-mail your company registered.',
    'Use el correo registrado por su empresa.',
  ],
  email: ['E-mail', 'E-mail', 'Correo'],
  password: ['Senha', 'Password', 'Contraseña'],
  access: ['Acessar', 'Sign in', 'Entrar'],
  forgot: ['Esqueci minha senha', 'I forgot my password', 'Olvidé mi contraseña'],
  noAccount: ['Ainda não tem conta?', 'No account yet?', '¿Aún no tiene cuenta?'],
  create: ['Criar conta', 'Create account', 'Crear cuenta'],
  signup: ['Crie sua conta', 'Create your account', 'Cree su cuenta'],
  signupHint: [
    'Sua empresa começa a atender em minutos.',
    'Your company starts attending in minutes.',
    'Su empresa empieza a atender en minutos.',
  ],
  company: ['Empresa', 'Company', 'Empresa'],
  name: ['Nome', 'Name', 'Nombre'],
  hasAccount: ['Já tem conta?', 'Already have an account?', '¿Ya tiene cuenta?'],
  back: ['Voltar para o login', 'Back to sign in', 'Volver a entrar'],
  createdIn: [
    'Conta criada com sucesso. Vamos começar',
    'Account created. Let’s begin',
    'Cuenta creada con éxito. Empecemos',
  ],
  created: [
    'Conta criada com sucesso. Entre para começar',
    'Account created. Sign in to begin',
    'Cuenta creada con éxito. Entre para empezar',
  ],
})
