% One simulated second of N uniform rods with Octave's ode45: prints CPU seconds and the first angle for every N given.
1;

function dx = rhs(x, n, A, B)
  q = x(1:n);
  qd = x(n+1:2*n);
  d = q - q';
  dx = [qd; (A .* cos(d)) \ (-B .* sin(q) - (A .* sin(d)) * (qd .* qd))];
end

words = argv();
for k = 1:numel(words)
  n = str2double(words{k});
  m = (101 + (0:n-1)') * 0.01;
  beyond = [flipud(cumsum(flipud(m)))(2:end); 0];
  lever = 0.5 * m + beyond;
  A = zeros(n);
  for i = 1:n
    A(i, 1:i) = lever(i);
    A(1:i, i) = lever(i);
    A(i, i) = m(i) / 12 + 0.25 * m(i) + beyond(i);
  end
  B = 9.81 * lever;
  options = odeset('RelTol', 1e-8, 'AbsTol', 1e-8);
  start = [0.3 * ones(n, 1); zeros(n, 1)];
  began = cputime();
  [t, x] = ode45(@(t, x) rhs(x, n, A, B), [0, 1], start, options);
  took = cputime() - began;
  printf('%.6g %.17g\n', took, x(end, 1));
end
