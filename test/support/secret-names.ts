const words = (text: string): string[] => text.trim().split(/\s+/);

/** Names of fields, variables and options whose values nobody else may see. */
export const secretNames: readonly string[] = words(`
  password Password PASSWORD passwords adminPassword ADMIN_PASSWORD admin-password admin.password adminPassword2 dbpassword
  PGPASSWORD MYSQL_PASSWORD ldap.bind.password passwordHash password_hash passwordPlain passwordBase64 password_b64 passwd
  adminPasswd2 htpasswd passwort kennwort contraseña senha geheimnis pwd dbPwd userpwd MYSQL_PWD bindpw rootpw LDAP_BIND_PW
  ldapBindPw pass db.pass dbpass smtp_pass requirepass keyPass storePass keystorePass passphrase passcode passkey psk wifiPsk
  presharedkey unlockPin pinCode
  secret secrets clientSecret client_secret CLIENT_SECRET2 sharedSecret appsecret oauth2Secret secretString secretData secretsJson
  secretId vault_secret_id s3SecretAccessKey secretKeyBase SECRET_KEY_BASE secret_key_b64 cookieSecret
  token tokens authToken AUTH_TOKENS accesstoken refresh-token bearerToken token1 APIToken tokenValue vaultRootToken sasToken
  sessionToken GITHUB_PAT jwt bearer otp totp mnemonic salt erlangCookie session_cookie
  credential credentials awsCredentials credentialsJson cred creds dsn SENTRY_DSN basicAuth BASIC_AUTH REDISCLI_AUTH masterauth
  dockerconfigjson .dockerconfigjson dockercfg
  apikey apiKey API_KEY apiKeys privateKey private_key privateKeyPem accessKey secretKey encryptionKey ENCRYPTIONKEY
  ENCRYPTION_KEYS signingKey masterKey sessionKey storageAccountKey accountkey jwtKey hmacKey sshKey hostKey fernetKey gossipKey
  otp_key_base db_key_base tlsKey ssl-key serverKey clientKeyData client-key-data certificateKey consumerKey authkey licensekey
  licenseKey unsealKeys credentials.key connectionString DB_CONNECTION_STRING webhookUrl SLACK_WEBHOOK_URL sasUrl
  rootPassword replicationPassword truststore_password SPRING_DATASOURCE_PASSWORD spring.datasource.password redis-password
  mongodb-root-password sentinel_auth_pass ssl.key.password proxyPassword bind_passwd x-api-key x-auth-token id_token csrfToken
  runnerRegistrationToken botToken NPM_TOKEN personalAccessToken JWT_SECRET webhookSecret hmacSecret oidcClientSecret signingSecret
  AWS_SECRET_ACCESS_KEY azureStorageKey datadogApiKey DD_APP_KEY wireguardPrivateKey preSharedKey etcdEncryptionKey caKey rsaKey
  secretboxKey joinToken bootstrapToken nodeToken kubeadmCertificateKey backupEncryptionKey dataKey masterPassword sessionSecret
  userPasswords db_creds apiCred tokenSecret oauth.token refresh_tokens elasticPasswords smtp-passwd db_password_old TOKEN_NEXT previousSecretBackup kek dek preshared recoveryCodes snmpCommunityString authString npm_auth vault_tokens rootPw adminPassphrase LUKS_PASSPHRASE
`);

/** Names that sound like these, and mean something else. */
export const plainNames: readonly string[] = words(`
  replicas image publicKey public_keys publicKeyPem key keys keyRing tokenReview tokenTTL passwordPolicy secretName secretKeyRef
  secretsManager passthrough bypass bypass2fa compass monkey turnkey primaryKey sortKey partitionKey topologyKey labelKeys
  authorizedKeys trustedKeys cacheKey string connection host mode author auth keyspace tokenizer pinned signature signatures
  data value url path baseUrl userId hash keyId accessMode
`);

/** Forms in which settings stand in data. `name` says what they are. */
export const secretData: Readonly<Record<string, (name: string, value: string) => unknown>> = {
  'a text': (name, value) => ({ [name]: value }),
  'a number': (name, value) => ({ [name]: Number(`8472${value.length}19305`) }),
  'a list': (name, value) => ({ [name]: [value, { deep: value }] }),
  'a mapping': (name, value) => ({ [name]: { key: value, other: { more: [value, 12_345] } } }),
  'a variable': (name, value) => ({ env: [{ name, value }] }),
  'an entry with a key': (name, value) => [{ key: name, value }],
  'an entry with a short word': (name, value) => [{ key: name, val: value }],
  'an entry with capitals': (name, value) => [{ Name: name, Value: value }],
  'a default': (name, value) => ({ parameters: [{ parameter: name, default: value }] }),
  'a pair': (name, value) => [[name, value]],
  'an operation of a patch': (name, value) => [{ op: 'add', path: `/spec/${name}`, value }],
  'a text within': (name, value) => ({ data: { 'app.properties': `a=b\n${name}=${value} ${value}\n` } }),
};

/** The same in texts: what files say, and what programs print. */
export const secretTexts: Readonly<Record<string, (name: string, value: string) => string>> = {
  'a line of YAML': (name, value) => `a: b\n${name}: ${value} and ${value}\nc: d\n`,
  'a quoted line of YAML': (name, value) => `a: b\n${name}: "correct ${value}"\nc: d\n`,
  'a line that goes on': (name, value) => `a: b\n${name}: ${value}\n  ${value}\nc: d\n`,
  'a block of YAML': (name, value) => `a: b\n${name}: |-\n  ${value}\n  ${value}\nc: d\n`,
  'a list of YAML': (name, value) => `a: b\n${name}:\n- ${value}\n- x: ${value}\nc: d\n`,
  'a list in one line': (name, value) => `a: b\n${name}: [${value}, ${value}]\nc: d\n`,
  'a list in several lines': (name, value) => `a: b\n${name}: [\n  ${value},\n  ${value}\n]\nc: d\n`,
  'a mapping in one line': (name, value) => `a: b\n${name}: {key: ${value}, more: ${value}}\nc: d\n`,
  'a mapping around it': (name, value) => `a: {host: a, ${name}: ${value} ${value}, port: 1}\n`,
  'a variable in YAML': (name, value) => `env:\n- name: ${name}\n  value: ${value}\n- name: MODE\n  value: fast\n`,
  'a variable in YAML, the value first': (name, value) => `env:\n- value: ${value}\n  name: ${name}\n`,
  'a comment': (name, value) => `# ${name}: ${value} ${value}\na: b\n`,
  JSON: (name, value) => JSON.stringify({ a: 1, [name]: `correct ${value}`, b: 2 }),
  'JSON within JSON': (name, value) => JSON.stringify(JSON.stringify({ a: 1, [name]: `correct ${value}` })),
  'a list in JSON': (name, value) => JSON.stringify({ [name]: ['x', value], b: 2 }),
  'a mapping in JSON': (name, value) => JSON.stringify({ [name]: { key: value, more: [value] } }, null, 2),
  TOML: (name, value) => `"${name}" = "correct ${value}"\n`,
  'a list in TOML': (name, value) => `${name} = [ "a", "${value}" ]\n`,
  'a table of TOML': (name, value) => `[a.${name}]\nuser = "a"\nkey = "${value}"\n[b]\nc = 1\n`,
  'several lines of TOML': (name, value) => `${name} = """\n${value}\n${value}\n"""\n`,
  'an environment': (name, value) => `export ${name}='correct ${value}'\nMODE=fast\n`,
  'an option': (name, value) => `starting with --${name.replace(/^\W+/, '')} ${value} and more\n`,
  'an option that is quoted': (name, value) => `run --${name.replace(/^\W+/, '')} "correct ${value}"\n`,
  XML: (name, value) => `<a>\n<${name}>${value}</${name}>\n</a>`,
  'an attribute of XML': (name, value) => `<user ${name}="correct ${value}"/>`,
  'a setting in XML': (name, value) => `<add key="${name}" value="correct ${value}"/>`,
  'a hash of Ruby': (name, value) => `{ :${name} => "correct ${value}" }`,
  'what Go prints': (name, value) => `{Host:a ${name}:${value} Port:1}`,
  'what Java prints': (name, value) => `Config(host=a, ${name}=${value}, port=1)`,
  'an address': (name, value) => `GET /x?a=b&${name}=${value}&c=d`,
};
