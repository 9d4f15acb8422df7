% Ten simulated seconds of the four-bar in nine coordinates with Octave's ode45 at 1e-8: prints CPU
% seconds, the crank's angle at the end and the largest violation of a constraint. The state is given.
1;

function [p, pq, gam] = constraints(x)
  r1 = 2; r2 = 0.8; r3 = 1.8; r4 = 1.5;
  c2 = cos(x(3)); s2 = sin(x(3)); c3 = cos(x(6)); s3 = sin(x(6)); c4 = cos(x(9)); s4 = sin(x(9));
  p = [x(1) - r2/2*c2; x(2) - r2/2*s2; x(4) - r2*c2 - r3/2*c3; x(5) - r2*s2 - r3/2*s3; ...
       x(7) - r1 - r4/2*c4; x(8) - r4/2*s4; r2*c2 + r3*c3 - r1 - r4*c4; r2*s2 + r3*s3 - r4*s4];
  if nargout < 2, return; end
  pq = zeros(8, 9);
  pq(1, [1 3]) = [1, r2/2*s2];
  pq(2, [2 3]) = [1, -r2/2*c2];
  pq(3, [3 4 6]) = [r2*s2, 1, r3/2*s3];
  pq(4, [3 5 6]) = [-r2*c2, 1, -r3/2*c3];
  pq(5, [7 9]) = [1, r4/2*s4];
  pq(6, [8 9]) = [1, -r4/2*c4];
  pq(7, [3 6 9]) = [-r2*s2, -r3*s3, r4*s4];
  pq(8, [3 6 9]) = [r2*c2, r3*c3, -r4*c4];
  w2 = x(12)^2; w3 = x(15)^2; w4 = x(18)^2;
  gam = [-r2/2*c2*w2; -r2/2*s2*w2; -r2*c2*w2 - r3/2*c3*w3; -r2*s2*w2 - r3/2*s3*w3; ...
         -r4/2*c4*w4; -r4/2*s4*w4; r2*c2*w2 + r3*c3*w3 - r4*c4*w4; r2*s2*w2 + r3*s3*w3 - r4*s4*w4];
end

function dx = rhs(x, M, f)
  [p, pq, gam] = constraints(x);
  v = x(10:18);
  solution = [M, pq'; pq, zeros(8)] \ [f; gam - 20*(pq*v) - 100*p];
  dx = [v; solution(1:9)];
end

m = [1 2 1.5];
r = [0.8 1.8 1.5];
J = m .* r.^2 / 12;
M = diag([m(1) m(1) J(1) m(2) m(2) J(2) m(3) m(3) J(3)]);
f = -9.81 * [0; m(1); 0; 0; m(2); 0; 0; m(3); 0];
start = cellfun(@str2double, argv())(:);
options = odeset('RelTol', 1e-8, 'AbsTol', 1e-8);
began = cputime();
[t, x] = ode45(@(t, x) rhs(x, M, f), [0, 10], start, options);
took = cputime() - began;
drift = 0;
for k = 1:rows(x)
  drift = max(drift, max(abs(constraints(x(k, :)'))));
end
printf('%.6g %.17g %.6g\n', took, x(end, 3), drift);
