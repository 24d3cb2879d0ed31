/** Errors of accounts: logging in, rights, users and letters. */
export const accountErrors = {
  ERR_INVALID_CREDENTIALS: [
    'E-mail ou senha incorretos',
    'Wrong e-mail or password',
    'Correo o contraseña incorrectos',
  ],
  ERR_INVALID_CREDENTIALS_EMAIL: ['E-mail incorreto', 'Wrong e-mail', 'Correo incorrecto'],
  ERR_INVALID_CREDENTIALS_PASSWORD: ['Senha incorreta', 'Wrong password', 'Contraseña incorrecta'],
  ERR_NO_SESSION: ['Entre para continuar', 'Sign in to continue', 'Entre para continuar'],
  ERR_SESSION_EXPIRED: [
    'Sua sessão expirou. Entre de novo',
    'Your session expired. Sign in again',
    'Su sesión expiró. Entre de nuevo',
  ],
  ERR_COMPANY_OFF: [
    'Esta empresa está desativada. Fale com quem administra a plataforma.',
    'This company is switched off. Talk to whoever runs the platform.',
    'Esta empresa está desactivada. Hable con quien administra la plataforma.',
  ],
  ERR_NO_PERMISSION: [
    'Você não tem permissão para isto',
    'You are not allowed to do this',
    'No tiene permiso para esto',
  ],
  ERR_USER_CREATION_DISABLED: [
    'A criação de usuários foi desabilitada pelo administrador',
    'User creation was disabled by the administrator',
    'La creación de usuarios fue desactivada por el administrador',
  ],
  ERR_LINK_OVER: [
    'Este link não vale mais: peça um novo',
    'This link is no longer valid: ask for a new one',
    'Este enlace ya no es válido: pida uno nuevo',
  ],
  ERR_PASSWORD_COMMON: [
    'Esta senha está entre as primeiras que se tentam. Escolha outra, por exemplo três palavras.',
    'This password is among the first that are tried. Choose another one, such as three words.',
    'Esta contraseña está entre las primeras que se prueban. Elija otra, por ejemplo tres palabras.',
  ],
  ERR_WRONG_PASSWORD: [
    'Esta não é a sua senha atual',
    'This is not your current password',
    'Esta no es su contraseña actual',
  ],
  ERR_MAIL_REFUSED: [
    'O servidor de e-mail não aceitou a mensagem',
    'The mail server did not take the message',
    'El servidor de correo no aceptó el mensaje',
  ],
  ERR_NO_MAIL: [
    'O envio de e-mails não está configurado: fale com um administrador',
    'Mail is not set up here: ask an administrator',
    'El envío de correos no está configurado: hable con un administrador',
  ],
  ERR_NO_USER_FOUND: [
    'Nenhum usuário encontrado com este ID',
    'No user found with this id',
    'Ningún usuario encontrado con este ID',
  ],
  ERR_NO_AUTHORIZATION_FOUND: [
    'Nenhum grupo de permissões encontrado com este ID',
    'No permission group found with this id',
    'Ningún grupo de permisos encontrado con este ID',
  ],
  ERR_EMAIL_EXISTS: [
    'Já existe um usuário com este e-mail',
    'A user with this e-mail already exists',
    'Ya existe un usuario con este correo',
  ],
  ERR_LAST_ADMIN: [
    'Ninguém mais poderia administrar a empresa: dê esse direito a outra pessoa antes',
    'Nobody else could administer the company: give somebody else that right first',
    'Nadie más podría administrar la empresa: dele antes ese derecho a otra persona',
  ],
} as const
